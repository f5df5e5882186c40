#!/usr/bin/env bash
# Tests the packages on a bare machine of a Debian release: installs, starts, and removes them, and finds no trace. Needs root and
# debootstrap; ./dev package --try [SUITE] calls it.
#
#   packaging/try.sh SUITE FILE.deb [FOLDER.tar.xz]
set -euo pipefail
suite=$1 deb=$2 folder=${3:-}
say() { printf '%s\n' "try: $*" >&2; }
die() { say "$*"; exit 1; }
[[ $(id -u) -eq 0 ]] || die "a bare machine takes root: sudo $0 $*"
command -v debootstrap >/dev/null || die "install debootstrap"
root=${SIMSCOPE_TRY:-/var/tmp/simscope-try}/$suite
mirror=$(apt-get indextargets --format '$(REPO_URI)' | grep -v security | head -1)
leave() {
  for each in dev proc; do
    if mountpoint -q "$root/$each"; then umount "$root/$each"; fi
  done
}
trap leave EXIT
leave
rm -rf "$root"
mkdir -p "$root"
say "a bare $suite in $root"
debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$root.log" 2>&1 || { tail -3 "$root.log"; die "debootstrap failed"; }
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
cp /etc/resolv.conf /etc/hosts "$root/etc/"
cp /etc/apt/apt.conf.d/*proxy* "$root/etc/apt/apt.conf.d/" 2>/dev/null || true
cp "$deb" "$root/root/simscope.deb"
# The user's state stays when the package is removed: it is kept apart from the files that are searched here.
inside() { env -i HOME=/root SIMSCOPE_STATE_DIR=/root/out/state PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive chroot "$root" bash -c "cd /root && $1"; }
files() { inside "find / -xdev \( -path /var/lib/apt -o -path /var/cache -o -path /var/log -o -path /root/out \) -prune -o -name '*simscope*' -print | sort"; }

inside "apt-get update -qq"
say "install"
inside "apt-get install -y -qq --no-install-recommends ./simscope.deb >/tmp/install.log 2>&1 || { tail -20 /tmp/install.log; exit 1; }"
inside "dpkg -s simscope | grep -E '^(Status|Version|Depends)'"
say "start"
inside "simscope --version"
inside "simscope list | head -3"
inside "simscope doctor || true"
say "render"
inside "mkdir -p out && simscope render tunneling --frames 5 --out out/a.gif && simscope verify out/a.gif"
inside "simscope run heat --steps 10 --save-snapshot out/b.simscope.npz >/dev/null && simscope run out/b.simscope.npz --steps 1 | head -2"
say "remove"
inside "apt-get purge -y -qq simscope >/tmp/remove.log 2>&1 || { tail /tmp/remove.log; exit 1; }"
left=$(files | grep -v '^/root/simscope.deb$' || true)
[[ -z $left ]] || die "left behind: $left"
if inside "command -v simscope"; then die "the program is still there"; fi
say "removed without a trace"
if [[ -n $folder ]]; then
  say "the folder, without the package's libraries"
  inside "apt-get autoremove -y -qq >/dev/null 2>&1; apt-get install -y -qq --no-install-recommends libegl1 libgl1 libgl1-mesa-dri libx11-6 libxcb1 >/dev/null 2>&1"
  tar -x -J -f "$folder" -C "$root/root"
  inside "cd simscope-*/ && bin/simscope --version && bin/simscope render tunneling --frames 5 --out ../out/c.gif && cmp ../out/a.gif ../out/c.gif && bin/simscope run eigenstates --steps 1 | head -1"
fi
say "all well on $suite"
