# The verbs of ./dev that make packages and install; ./dev reads this file.

# The date that everything in a package has: of the last commit, unless SOURCE_DATE_EPOCH says another.
package_epoch() {
  printf '%s' "${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)}"
}

# Every kernel has code for every card that the build says it is for.
require_machine_code() {  # BUILD_FOLDER
  local cards found
  cards=$(sed -n 's/^-- simscope: CUDA backend with .* for //p' "$1/configure.log" | tail -1)
  [[ -n $cards ]] || return 0  # the CPU backend alone
  # shellcheck disable=SC2086  # a word each
  found=$(/usr/bin/python3 packaging/machine_code.py "$1/bin/simscope" ${cards//;/ }) ||
    die "the program has not the code that it was built for"
  say "code for CUDA devices: $found"
}

# Makes both packages of the tree in the current folder. What it prints at last are their names.
make_packages() {  # BUILD_FOLDER OUT_FOLDER CMAKE_ARGUMENTS...
  local folder=$1 out=$2 version name
  shift 2
  mkdir -p "$folder" "$out"
  configure_and_build "$folder" -DCMAKE_BUILD_TYPE=Release -DSIMSCOPE_UNITE=ON -DSIMSCOPE_PACKAGE=ON -DSIMSCOPE_MPI=OFF \
    -DBUILD_TESTING=OFF -DCMAKE_INSTALL_PREFIX=/usr "$@" || die "the build has failed"
  require_machine_code "$folder"
  version=$("$folder/bin/simscope" --version | cut -d' ' -f2)
  rm -rf "$folder/packed" "${out:?}"/simscope[-_]"$version"*
  (umask 022; cpack --config "$folder/CPackConfig.cmake" -B "$PWD/$folder/packed" >"$folder/cpack.log" 2>&1) ||
    { cat "$folder/cpack.log" >&2; die "CPack could not make the Debian package"; }
  cp "$folder"/packed/*.deb "$out/"
  name=simscope-$version-linux-$(uname -m)
  rm -rf "${folder:?}/folder"
  (umask 022; cmake -Wno-dev -DBUILD="$folder" -DFOLDER="$PWD/$folder/folder/$name" -P packaging/folder.cmake) >"$folder/folder.log" 2>&1 ||
    { cat "$folder/folder.log" >&2; die "the folder could not be made"; }
  tar --create --directory "$folder/folder" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 \
    --numeric-owner --format=gnu "$name" | xz -T1 -6 >"$out/$name.tar.xz"
  ls -1 "$out"/simscope_"$version"*.deb "$out/$name.tar.xz"
}

verb_package() {
  local try='' twice='' arguments=() made each
  while [[ $# -gt 0 ]]; do
    case $1 in
      --try) try=bookworm; if [[ ${2:-} =~ ^[a-z]+$ ]]; then try=$2; shift; fi ;;
      --twice) twice=1 ;;
      -D*) arguments+=("$1") ;;
      *) die "package takes --try [SUITE], --twice, and CMake's -D..., not '$1'" ;;
    esac
    shift
  done
  install_missing "${packages[@]}" "${package_packages[@]}"
  SOURCE_DATE_EPOCH=$(package_epoch)
  export SOURCE_DATE_EPOCH
  made=$(make_packages build/package build/packages "${arguments[@]}") || exit 1
  if command -v lintian >/dev/null; then
    lintian --allow-root --fail-on error build/packages/*.deb >&2 || die "lintian finds errors in the package"
  fi
  # Once more, from a copy of the sources in a folder of another name: the same bytes.
  if [[ -n $twice ]]; then
    local elsewhere
    elsewhere=$(mktemp -d "${TMPDIR:-/var/tmp}/simscope-elsewhere.XXXXXX")
    git ls-files -z | xargs -0 cp --parents -t "$elsewhere"
    (cd "$elsewhere" && make_packages other/build other/out "${arguments[@]}" >/dev/null) || exit 1
    for each in $made; do
      cmp "$each" "$elsewhere/other/out/${each##*/}" || die "$each has other bytes when it is built in $elsewhere"
      say "${each##*/}: the same bytes, built twice"
    done
    rm -rf "$elsewhere"
  fi
  for each in $made; do
    say "$(du -h "$each" | cut -f1) $each"
  done
  [[ -z $try ]] || packaging/try.sh "$try" build/packages/*.deb build/packages/*.tar.xz
}

default_prefix() {
  if [[ $(id -u) -eq 0 ]]; then printf /usr/local; else printf '%s' "$HOME/.local"; fi
}

# What desktops keep of the files that say what opens what; where their tools are.
tell_desktops() {  # PREFIX, install or uninstall
  local share=$1/share
  if [[ $2 == install || -f $share/mime/mime.cache ]] && command -v update-mime-database >/dev/null; then
    update-mime-database "$share/mime" >/dev/null 2>&1 || true
  fi
  if [[ $2 == install || -f $share/applications/mimeinfo.cache ]] && command -v update-desktop-database >/dev/null; then
    update-desktop-database "$share/applications" >/dev/null 2>&1 || true
  fi
  if [[ -f $share/icons/hicolor/icon-theme.cache ]] && command -v gtk-update-icon-cache >/dev/null; then
    gtk-update-icon-cache -q -t -f "$share/icons/hicolor" >/dev/null 2>&1 || true
  fi
}

verb_install() {
  local prefix=${1:-$(default_prefix)}
  prefix=${prefix%/}
  [[ $prefix == /* ]] || prefix=$PWD/$prefix
  SIMSCOPE_INSTALLED=${SIMSCOPE_INSTALLED:-}
  [[ -n $SIMSCOPE_INSTALLED ]] || verb_build
  install_from "${SIMSCOPE_INSTALLED:-$build}" "$prefix"
  say "installed; ./dev uninstall $prefix takes it away"
  case :$PATH: in *":$prefix/bin:"*) ;; *) say "$prefix/bin is not in PATH" ;; esac
}

# Remembers what it brings: the files, and the folders that were not there.
install_from() {  # BUILD_FOLDER PREFIX
  local folder=$1 prefix=$2 staged list each
  [[ ! -f $prefix/share/simscope/installed ]] || uninstall_from "$prefix"
  staged=$(mktemp -d)
  (umask 022; DESTDIR=$staged cmake --install "$folder" --prefix "$prefix" --strip >/dev/null) || die "CMake could not install $folder"
  list=$staged/list
  {
    while IFS= read -r -d '' each; do
      [[ -e ${each#"$staged"} ]] || printf 'folder %s\n' "${each#"$staged"}"
    done < <(find "$staged/" -mindepth 1 -type d -print0)
    find "$staged$prefix" -not -type d -printf "file $prefix/%P\n"
    for each in share/simscope/installed share/applications/mimeinfo.cache; do
      [[ -e $prefix/$each ]] || printf 'file %s\n' "$prefix/$each"
    done
  } | sort >"$list"
  if ! mkdir -p "$prefix" 2>/dev/null || [[ ! -w $prefix ]]; then
    rm -rf "$staged"
    die "$prefix cannot be written: choose another PREFIX, or be root"
  fi
  # Folders that are there keep their owners and modes.
  tar -C "$staged$prefix" -c . | tar -C "$prefix" -x --no-overwrite-dir --no-same-owner || die "$prefix cannot be written"
  cp "$list" "$prefix/share/simscope/installed"
  rm -rf "$staged"
  tell_desktops "$prefix" install
}

verb_uninstall() {
  local prefix=${1:-$(default_prefix)}
  prefix=${prefix%/}
  [[ $prefix == /* ]] || prefix=$PWD/$prefix
  [[ -f $prefix/share/simscope/installed ]] || die "simscope was not installed in $prefix by ./dev install"
  uninstall_from "$prefix"
  say "removed simscope from $prefix"
}

uninstall_from() {  # PREFIX
  local prefix=$1 kind name list
  list=$(<"$prefix/share/simscope/installed")
  while read -r kind name; do
    [[ $kind != file ]] || rm -f -- "$name"
  done <<<"$list"
  # What update-mime-database has written goes as well, where nobody else has said what files are.
  if grep -qxF "folder $prefix/share/mime" <<<"$list" && [[ -z $(find "$prefix/share/mime/packages" -type f) ]]; then
    find "$prefix/share/mime" -mindepth 1 -not -path '*/packages' -delete
  fi
  while read -r kind name; do
    [[ $kind != folder ]] || rmdir --ignore-fail-on-non-empty -- "$name" 2>/dev/null || true
  done < <(sort -r <<<"$list")
  tell_desktops "$prefix" uninstall
}

# Draws the icon anew in every size; look at it before you commit.
verb_icon() {
  install_missing "${packages[@]}"
  local targets=(simscope_icon)
  build_release OFF
  "$build/app/icon/simscope_icon" packaging/icons
  git --no-pager diff --stat -- packaging/icons
}
