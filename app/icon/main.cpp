// simscope_icon FOLDER: draws the icon in every size of the hicolor theme, FOLDER/16.png to FOLDER/512.png.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>

#include "app/icon/icon.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: simscope_icon FOLDER\n", stderr);
    return 2;
  }
  try {
    const std::filesystem::path folder = argv[1];
    std::filesystem::create_directories(folder);
    for (const int size : {16, 22, 24, 32, 48, 64, 128, 256, 512}) {
      const auto bytes = simscope::icon::pngFile(size);
      std::ofstream file(folder / (std::to_string(size) + ".png"), std::ios::binary);
      file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
      file.close();
      if (!file) {
        std::fprintf(stderr, "simscope_icon: %s could not be written\n", argv[1]);
        return 1;
      }
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "simscope_icon: %s\n", error.what());
    return 1;
  }
  return 0;
}
