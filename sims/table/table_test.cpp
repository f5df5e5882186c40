#include "sims/table/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zip.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "sims/compute/error.h"
#include "sims/core/testing/folder.h"
#include "sims/core/testing/refusal.h"
#include "sims/table/parts.h"

namespace simscope::table {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::size_t> all(const std::vector<std::string>& names) {
  std::vector<std::size_t> every(names.size());
  for (std::size_t i = 0; i < every.size(); ++i) every[i] = i;
  return every;
}

// What it says; empty where the table is taken.
std::string refusal(std::string_view bytes, Format format) {
  return tests::refusal([&] { (void)tableOf(bytes, format, all); });
}

template <class T>
std::string bytesOf(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}
std::string npy(const std::string& descr, const std::string& shape, const std::string& data, bool fortran = false) {
  std::string header =
      "{'descr': " + descr + ", 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }";
  header.resize((10 + header.size() + 1 + 63) / 64 * 64 - 10 - 1, ' ');
  header += '\n';
  std::string file = "\x93NUMPY";
  file += '\x01';
  file += '\0';
  file += static_cast<char>(header.size() % 256);
  file += static_cast<char>(header.size() / 256);
  return file + header + data;
}

std::string npz(const std::vector<std::pair<std::string, std::string>>& members, bool compressed) {
  const tests::Folder folder;
  const std::string name = (folder / "a.npz").string();
  int error = 0;
  zip_t* const archive = zip_open(name.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &error);
  for (const auto& [member, bytes] : members) {
    const auto index =
        zip_file_add(archive, member.c_str(), zip_source_buffer(archive, bytes.data(), bytes.size(), 0), 0);
    zip_set_file_compression(archive, static_cast<zip_uint64_t>(index), compressed ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 0);
  }
  EXPECT_EQ(zip_close(archive), 0);
  return tests::contentOf(name);
}

const std::string kPlane = npy("'<f8'", "(2, 3)", bytesOf<double>({1, 2, 3, 4, 5, 6}));

TEST(Npy, PlainArraysAreRowsTimesColumnsInEitherOrder) {
  const Table rows = tableOf(kPlane, Format::Npy, all);
  EXPECT_EQ(rows.rows, 2u);
  EXPECT_THAT(rows.columns, ElementsAre(ElementsAre(1, 4), ElementsAre(2, 5), ElementsAre(3, 6)));
  const std::string turned = npy("'<f4'", "(2, 3)", bytesOf<float>({1, 4, 2, 5, 3, 6}), true);
  EXPECT_EQ(tableOf(turned, Format::Npy, all).columns, rows.columns);
}

TEST(Npy, FieldsOfEveryAcceptedTypeAreColumns) {
  std::string row;
  row += bytesOf<std::int64_t>({-7});
  row += bytesOf<float>({1.5f});
  row += bytesOf<std::int8_t>({-1});
  row += bytesOf<std::uint16_t>({65535});
  row += std::string("\x40\x09\x21\xfb\x54\x44\x2d\x18", 8);  // π, most significant byte first
  row += '\x01';
  const std::string file =
      npy("[('event', '<i8'), ('pt', '<f4'), ('charge', '|i1'), ('u', '<u2'), ('phi', '>f8'), ('ok', '|b1')]", "(2,)",
          row + row);
  std::vector<std::string> seen;
  const Table table = tableOf(file, Format::Npy, [&](const std::vector<std::string>& names) {
    seen = names;
    return all(names);
  });
  EXPECT_THAT(seen, ElementsAre("event", "pt", "charge", "u", "phi", "ok"));
  ASSERT_EQ(table.columns.size(), 6u);
  const double expected[] = {-7, 1.5, -1, 65535, 3.141592653589793, 1};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_THAT(table.columns[i], ElementsAre(expected[i], expected[i]));
}

TEST(Npy, OnlyChosenColumnsAreReadInTheOrderOfTheChoice) {
  const Table table = tableOf(kPlane, Format::Npy, [](const auto&) { return std::vector<std::size_t>{2, 0}; });
  EXPECT_THAT(table.columns, ElementsAre(ElementsAre(3, 6), ElementsAre(1, 4)));
  EXPECT_THROW((void)tableOf(kPlane, Format::Npy, [](const auto&) { return std::vector<std::size_t>{3}; }), UsageError);
  EXPECT_THROW((void)tableOf(kPlane, Format::Npy, [](const auto&) { return std::vector<std::size_t>{}; }), UsageError);
}

TEST(Npy, AFileThatIsCutShortAnywhereIsRefused) {
  for (std::size_t length = 0; length < kPlane.size(); ++length) {
    EXPECT_NE(refusal(std::string_view(kPlane).substr(0, length), Format::Npy), "") << length;
  }
}

TEST(Npy, HugeShapesAndUnknownTypesAreRefused) {
  const std::string data = bytesOf<double>({1, 2, 3, 4});
  for (const char* shape : {"(4611686018427387904, 4)", "(99999999999999999999, 1)", "(3, 2)", "(0, 999999999)", "(4,)",
                            "(1, 2, 2)", "()", "(-1, 4)", "4", "(1000000000000000000, 1000000000000000000)"}) {
    EXPECT_NE(refusal(npy("'<f8'", shape, data), Format::Npy), "") << shape;
  }
  for (const char* type : {"'<c16'", "'<f2'", "'|O'", "'<U5'", "'<M8[ns]'", "''", "'<f9'", "'<f16'", "[]", "[('a',)]",
                           "7", "[('a', '<f8', (2,))]", "[('a', [('b', '<f8')])]", "[('a', '|O')]"}) {
    EXPECT_NE(refusal(npy(type, "(2, 2)", data), Format::Npy), "") << type;
    EXPECT_NE(refusal(npy(type, "(2,)", data), Format::Npy), "") << type;
  }
  EXPECT_THAT(refusal(npy("'<c16'", "(2, 1)", data), Format::Npy), HasSubstr("<c16"));
  EXPECT_EQ(refusal(npy("'<f8'", "(0, 8)", ""), Format::Npy), "it has no elements");
}

TEST(Npy, ADamagedHeaderIsRefusedOrItsTableIsWhole) {
  std::mt19937 random(5);
  for (int i = 0; i < 20000; ++i) {
    std::string file = kPlane;
    for (int k = 0; k < 1 + i % 3; ++k) file[random() % file.size()] = static_cast<char>(random());
    try {
      const Table table = tableOf(file, Format::Npy, all);
      for (const auto& column : table.columns) ASSERT_EQ(column.size(), table.rows);
    } catch (const UsageError&) {
    }
  }
}

TEST(Npz, ColumnsAreItsMembersCompressedOrNot) {
  const std::string pt = npy("'<f4'", "(3,)", bytesOf<float>({1, 2, 3})),
                    n = npy("'<i4'", "(3,)", bytesOf<int>({4, 5, 6}));
  for (const bool compressed : {false, true}) {
    std::vector<std::string> seen;
    const std::string file = npz({{"pt.npy", pt}, {"n.npy", n}}, compressed);
    const Table table = tableOf(file, Format::Npz, [&](const std::vector<std::string>& names) {
      seen = names;
      return all(names);
    });
    EXPECT_THAT(seen, ElementsAre("pt", "n"));
    EXPECT_THAT(table.columns, ElementsAre(ElementsAre(1, 2, 3), ElementsAre(4, 5, 6)));
    for (std::size_t length = 0; length < file.size(); length += 7) {
      EXPECT_NE(refusal(std::string_view(file).substr(0, length), Format::Npz), "") << length;
    }
    for (std::size_t i = 0; i < file.size(); ++i) {
      std::string damaged = file;
      damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
      try {
        const Table read = tableOf(damaged, Format::Npz, all);
        for (const auto& column : read.columns) ASSERT_EQ(column.size(), read.rows);
      } catch (const UsageError&) {
      }
    }
  }
  // np.savez(file, array)
  EXPECT_EQ(tableOf(npz({{"arr_0.npy", kPlane}}, true), Format::Npz, all).columns,
            tableOf(kPlane, Format::Npy, all).columns);
  const std::string events = npy("[('event', '|u1'), ('charge', '|i1')]", "(2,)", std::string("\1\2\3\4"));
  EXPECT_THAT(tableOf(npz({{"arr_0.npy", events}}, false), Format::Npz, all).columns,
              ElementsAre(ElementsAre(1, 3), ElementsAre(2, 4)));
  EXPECT_THAT(tableOf(npz({{"pt.npy", pt}}, false), Format::Npz, all).columns, ElementsAre(ElementsAre(1, 2, 3)));
  const std::string shorter = npy("'<f4'", "(2,)", bytesOf<float>({1, 2}));
  EXPECT_THAT(refusal(npz({{"pt.npy", pt}, {"eta.npy", shorter}}, false), Format::Npz), HasSubstr("'eta' has 2 rows"));
}

TEST(Csv, CellsStandBetweenAnyUsualSeparators) {
  for (const char* text :
       {"pt,eta\n1,2\n3,4\n", "pt;eta\r\n1;2\r\n3;4", "pt\teta\n1\t2\n\n3\t4\n", "# pt eta\n 1  2\n3 4 \n",
        "\"pt\",\"eta\"\n\"1\", +2\n# no row\n3,4e0\n", "\xef\xbb\xbfpt,eta\n1,2\n3,4"}) {
    std::vector<std::string> seen;
    const Table table = tableOf(text, Format::Csv, [&](const std::vector<std::string>& names) {
      seen = names;
      return all(names);
    });
    EXPECT_THAT(seen, ElementsAre("pt", "eta")) << text;
    EXPECT_THAT(table.columns, ElementsAre(ElementsAre(1, 3), ElementsAre(2, 4))) << text;
    EXPECT_EQ(table.rows, 2u);
  }
  EXPECT_THAT(tableOf("1,2\n3,4\n", Format::Csv, all).columns, ElementsAre(ElementsAre(1, 3), ElementsAre(2, 4)));
}

TEST(Csv, CommentsBeforeTheHeaderAreSkippedAndOneAboveNumbersNamesThem) {
  for (const char* text : {"# made by hand, twice\n#\npt,eta\n1,2\n", "# source: x\n# pt eta\n1 2\n", "#pt,eta\n1 2\n",
                           "# pt,eta\n# unit: GeV, of a run\npt;eta\n1;2\n", "\n# a\n\n# pt\teta\n\n1\t2\n# b\n"}) {
    std::vector<std::string> seen;
    const Table table = tableOf(text, Format::Csv, [&](const std::vector<std::string>& names) {
      seen = names;
      return all(names);
    });
    EXPECT_THAT(seen, ElementsAre("pt", "eta")) << text;
    EXPECT_THAT(table.columns, ElementsAre(ElementsAre(1), ElementsAre(2))) << text;
  }
  std::vector<std::string> seen;
  const Table texts = tableOf("# type pt\nG 5\nT 6\n", Format::Csv, [&](const std::vector<std::string>& names) {
    seen = names;
    return std::vector<std::size_t>{1};
  });
  EXPECT_THAT(seen, ElementsAre("type", "pt"));
  EXPECT_THAT(texts.columns, ElementsAre(ElementsAre(5, 6)));
  EXPECT_THAT(tableOf("# one remark of words\n1,2\n", Format::Csv, all).columns,
              ElementsAre(ElementsAre(1), ElementsAre(2)));
  EXPECT_EQ(tableOf("# pt eta\n", Format::Csv, all).rows, 0u);
  EXPECT_NE(refusal("#\n# \n", Format::Csv), "");
}

TEST(Csv, NumbersTooSmallForDoublePrecisionAreZeroAndThoseTooLargeInfinite) {
  const std::string zeros(400, '0');
  for (const std::string& text :
       std::vector<std::string>{"1e-400", "-2.5E-9999", "1e-99999999999999999999", "0." + zeros + "1",
                                "0." + zeros + "1e20", "1" + zeros + "e-900"}) {
    const Table table = tableOf("a\n" + text + "\n", Format::Csv, all);
    EXPECT_EQ(table.columns[0][0], 0) << text;
    EXPECT_EQ(std::signbit(table.columns[0][0]), text[0] == '-') << text;
  }
  for (const std::string& text :
       std::vector<std::string>{"1e400", "-1e+400", "1" + zeros, "0." + zeros + "1e900", "1e99999999999999999999"}) {
    const Table table = tableOf("a\n" + text + "\n", Format::Csv, all);
    EXPECT_TRUE(std::isinf(table.columns[0][0])) << text;
    EXPECT_EQ(std::signbit(table.columns[0][0]), text[0] == '-') << text;
  }
  EXPECT_THAT(tableOf("a\n1e-300\n-0.0\n", Format::Csv, all).columns, ElementsAre(ElementsAre(1e-300, 0)));
}

TEST(Csv, TextInColumnsThatNobodyWantsIsNoMatter) {
  const std::string text = "run,type,pt\n1,\"G, or T\",5.5\n1,T,6\n";
  const Table table = tableOf(text, Format::Csv, [](const auto&) { return std::vector<std::size_t>{2}; });
  EXPECT_THAT(table.columns, ElementsAre(ElementsAre(5.5, 6)));
  EXPECT_THAT(refusal(text, Format::Csv), testing::AllOf(HasSubstr("line 2"), HasSubstr("'type'")));
}

TEST(Csv, FaultsAreRefusedWithTheirLine) {
  EXPECT_THAT(refusal("pt,eta\n1,2\n3\n", Format::Csv), HasSubstr("line 3 has 1 cells"));
  EXPECT_THAT(refusal("pt,eta\n1,2\n1,234.5,2\n", Format::Csv), HasSubstr("line 3 has 3 cells"));
  EXPECT_EQ(tableOf("pt,eta\n1,2,\n3,4\n", Format::Csv, all).rows, 2u) << "a separator at the end";
  EXPECT_THAT(refusal("pt,eta\n1,2\n3,4x\n", Format::Csv), HasSubstr("'4x' is not a number"));
  EXPECT_THAT(refusal("pt,eta\n1,2\n3,\n", Format::Csv), HasSubstr("line 3"));
  EXPECT_NE(refusal("", Format::Csv), "");
  EXPECT_NE(refusal("\n\n", Format::Csv), "");
  EXPECT_NE(refusal(std::string("pt,\0eta\n1,2\n", 12), Format::Csv), "");
  EXPECT_THAT(refusal(std::string(3000, ','), Format::Csv), HasSubstr("columns"));
  const Table table = tableOf("pt\nnan\n1e999\n", Format::Csv, all);
  EXPECT_TRUE(std::isnan(table.columns[0][0]));
  EXPECT_TRUE(std::isinf(table.columns[0][1]));
}

TEST(Tables, WhoseNumbersTakeMoreThanAFileMayAreRefusedBefore) {
  EXPECT_NO_THROW(checkMemory(1000, 1000, memoryBeside(1'000'000'000)));
  EXPECT_THROW(checkMemory(std::size_t{1} << 29, 2, memoryBeside(0)), UsageError);
  EXPECT_THROW(checkMemory(std::size_t{1} << 62, 3, memoryBeside(0)), UsageError);
  EXPECT_THROW(checkMemory(1, 1, memoryBeside(std::size_t{1} << 40)), UsageError);
}

TEST(Tables, FromFilesAreRefusedByTheirNames) {
  const tests::Folder folder;
  const auto said = [&](const char* name) -> std::string {
    return tests::refusal([&] { (void)readTable(name[0] == '\0' ? std::filesystem::path() : folder / name, all); });
  };
  std::ofstream(folder / "good.csv") << "a\n1\n";
  std::ofstream(folder / "empty.csv");
  std::ofstream(folder / "table.xlsx") << "a\n1\n";
  EXPECT_EQ(said("good.csv"), "");
  EXPECT_THAT(said("empty.csv"), testing::AllOf(HasSubstr("empty.csv'"), HasSubstr("is empty")));
  EXPECT_THAT(said("nowhere.npy"), HasSubstr("nowhere.npy'"));
  EXPECT_THAT(said("table.xlsx"), HasSubstr(".npy, .npz, and .csv"));
  EXPECT_NE(said(""), "");
  EXPECT_TRUE(isTable("x.NPY") && isTable("x.npz") && isTable("a/b.csv") && !isTable("x.png") && !isTable("npy"));
}

}  // namespace
}  // namespace simscope::table
