# What the virtual machine is made of, and where it is kept; sourced by scripts/rt-vm.
#
# Everything lies in the target folder: nothing is installed on the machine. A *part* is a folder that is made once; its name
# carries a hash of its recipe (the text of the functions that make it), so a changed recipe makes a new part and drops the old.

cache=${CARGO_TARGET_DIR:-$root/target}/rt-vm
release=$(. /etc/os-release 2>/dev/null && echo "${VERSION_CODENAME:-}")
exit_cannot_run=77
exit_machine_failed=70
exit_time_limit=124

tell() { printf 'rt-vm: %s\n' "$*" >&2; }

# Says what is missing here and ends with the code by which callers know that it is not a failure.
cannot_run() {
    tell "skipped: $1"
    [ -n "${2:-}" ] && [ -s "$2" ] && tail -n "${3:-5}" "$2" | sed 's/^/    | /' >&2
    exit "$exit_cannot_run"
}

# download COMMAND…: what fetches from the network, with a time limit. Its failure is noted, because it may be the network's.
download() {
    timeout --kill-after=5 900 "$@" || { touch "$cache/not-downloaded"; return 1; }
}

# Whether the mirror that we fetch from answers at all.
mirror_answers() {
    timeout 120 apt-get update -qq -o APT::Update::Error-Mode=any >/dev/null 2>&1
}

# could_not_make NAME CODE: a mirror that does not answer, or that is not Debian's, is no failure of ours; everything else is.
could_not_make() {
    local reason="$1 could not be made; the end of $cache/$1.log:"
    [ "$2" != "$exit_cannot_run" ] || cannot_run "$reason" "$cache/$1.log" 8
    if [ -e "$cache/not-downloaded" ] && { [ "$1" = apt ] || ! mirror_answers; }; then
        cannot_run "the mirror of this machine's apt sources does not answer: $reason" "$cache/$1.log" 8
    fi
    tell "$reason"
    tail -n 8 "$cache/$1.log" | sed 's/^/    | /' >&2
    exit "$exit_machine_failed"
}

# part NAME FUNCTION RECIPE…: makes the folder NAME by calling FUNCTION in it, unless it is there; sets `part` to its path.
# RECIPE are the other functions, files of guest/ and words on which the part depends.
part() {
    local name=$1 make=$2 key
    shift
    key=$({ echo "$release" "$@"; for recipe in "$@"; do declare -f "$recipe" || cat "$here/guest/$recipe" 2>/dev/null || true; done; } | sha256sum | cut -c1-10)
    part=$cache/$name-$key
    [ -d "$part" ] && return 0
    # Two that run at once do not make the same part twice.
    exec 9>"$cache/lock"
    flock -n 9 || { tell "waiting for another rt-vm that makes its parts"; flock 9; }
    if [ ! -d "$part" ]; then make_part "$name" "$make"; fi
    exec 9>&-
}

# make_part NAME FUNCTION: into a folder of another name first, so that what is there is whole.
make_part() {
    local name=$1 make=$2 code began=$SECONDS
    tell "making $name (once; kept in $cache)"
    rm -rf "$cache/$name"-??????????  "$part.new" "$cache/not-downloaded"
    mkdir -p "$part.new"
    # Not in a condition: there, bash would go on after a command that fails.
    set +e
    (set -e; cd "$part.new"; "$make") >"$cache/$name.log" 2>&1
    code=$?
    set -e
    ((code == 0)) || could_not_make "$name" "$code"
    mv "$part.new" "$part"
    tell "$name is made: $((SECONDS - began)) s, $(du -sh "$part" | cut -f1)"
}

# apt with lists and archives of its own: the machine's sources of its release, and the backports of the same mirror (its QEMU
# is new enough for several processors in virtual time). The machine's dpkg status says which libraries are here already.
make_apt() {
    local keyring=
    for file in /usr/share/keyrings/debian-archive-keyring.{pgp,gpg}; do [ -r "$file" ] && keyring="[signed-by=$file]"; done
    mkdir -p lists/partial archives/partial
    apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' | sort -u |
        awk -v release="$release" -v keyring="$keyring" '
            $3 == "main" && ($2 == release || index($2, release "-") == 1) { print "deb", keyring, $1, $2, $3 }
            $3 == "main" && $2 == release && !mirror++ { print "deb", keyring, $1, release "-backports", "main" }' |
        sort -u >sources.list
    [ -s sources.list ] || { echo "the machine's apt sources have no entry for $release"; return "$exit_cannot_run"; }
    cat >apt.conf <<TEXT
Dir::State "$part";
Dir::State::status "/var/lib/dpkg/status";
Dir::Cache "$part";
Dir::Etc::SourceList "$part/sources.list";
Dir::Etc::SourceParts "-";
Debug::NoLocking "1";
APT::Install-Recommends "0";
APT::Sandbox::User "";
Acquire::Languages "none";
Acquire::Retries "3";
TEXT
    sed "s|$part|$part.new|" apt.conf >first.conf
    APT_CONFIG=$PWD/first.conf download apt-get update -qq -o APT::Update::Error-Mode=any
}

# unpack FOLDER OPTIONS… PACKAGES…: these packages and what they need beyond what the machine has, unpacked into FOLDER.
unpack() {
    local folder=$1
    shift
    rm -f "$apt"/archives/*.deb
    download apt-get install -qq -y --download-only --reinstall "$@"
    for file in "$apt"/archives/*.deb; do dpkg-deb -x "$file" "$folder"; done
    rm -f "$apt"/archives/*.deb
}

# QEMU, and the tools with which the images are made.
make_tools() {
    unpack . -t "$release-backports" qemu-system-x86
    unpack . mmdebstrap busybox-static kmod e2fsprogs
    # The package's own links are absolute.
    for link in depmod modprobe; do ln -sf kmod "$(dirname "$(find . -type f -name kmod -path '*bin/*')")/$link"; done
}

# make_kernel KIND: Debian's kernel of that kind, unpacked, with its modules as a disk and an initial file system.
make_kernel() {
    local kind=$1 package
    [ "$kind" = rt ] && package=linux-image-rt-amd64 || package=linux-image-amd64
    package=$(apt-cache depends --important "$package" | awk '$1 == "Depends:" { print $2; exit }')
    [ -n "$package" ] || { echo "no $kind kernel in the machine's apt sources"; return "$exit_cannot_run"; }
    (cd "$apt/archives" && rm -f ./*.deb && download apt-get download -qq "$package" && dpkg-deb -x ./*.deb "$OLDPWD/unpacked" && rm -f ./*.deb)
    mv unpacked/boot/vmlinuz-* vmlinuz
    ls unpacked/lib/modules >version
    depmod -b unpacked "$(cat version)"
    mke2fs -q -t ext4 -O ^has_journal -L modules -d unpacked/lib/modules modules.img "$(megabytes unpacked/lib/modules)"
    make_initial_file_system unpacked "$(cat version)" initrd
    rm -rf unpacked
}
make_rt_kernel() { make_kernel rt; }
make_ordinary_kernel() { make_kernel ordinary; }

# Room for a folder as a file system, for mke2fs.
megabytes() { echo "$(($(du -sm "$1" | cut -f1) * 12 / 10 + 32))M"; }

# prepare KIND: everything needed for a machine with this kernel; sets tools, kernel and image.
prepare() {
    local kind=$1
    [ "$(uname -m)" = x86_64 ] || cannot_run "the virtual machine is for x86_64, this machine is $(uname -m)"
    [ -n "$release" ] || cannot_run "/etc/os-release names no release (VERSION_CODENAME)"
    for command in apt-get dpkg-deb perl sha256sum flock; do
        command -v "$command" >/dev/null || cannot_run "$command is missing; the virtual machine is made from Debian packages, on Debian"
    done
    as_owner_of_files true 2>/dev/null || cannot_run "neither root nor user namespaces with subordinate ids (package uidmap), with which a root file system could be made"
    mkdir -p "$cache"
    part apt make_apt
    apt=$part
    export APT_CONFIG=$apt/apt.conf
    part tools make_tools unpack
    tools=$part
    export PATH=$tools/usr/bin:$tools/bin:$PATH:$tools/usr/sbin:$tools/sbin
    part "kernel-$kind" "make_${kind}_kernel" make_kernel make_initial_file_system init
    kernel=$part
    part base make_base
    base=$part
    part image make_image customise rt-vm.service start
    image=$part
    unset APT_CONFIG
}
