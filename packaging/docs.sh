# The verb of ./dev that makes the site; ./dev reads this file.

docs_packages=(pandoc python3)

verb_docs() {
  install_missing "${docs_packages[@]}"
  verb_build
  mkdir -p "$build/docs"
  SIMSCOPE_STATE_DIR=$PWD/$build/docs/.state /usr/bin/python3 docs/build.py "$build/bin/simscope" "$build/docs" "$@" ||
    die "the site could not be made"
  rm -rf "$build/docs/.state"
  say "made $build/docs/index.html"
}
