# Helpers of the scripts; sourced, not run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# The profile of the programs that are run, packed and tested: a script that needs them more than once sets it for all.
profile=${RTRD_PROFILE:-release}

# Where cargo puts them.
programs() { echo "${CARGO_TARGET_DIR:-$root/target}/${profile/#dev/debug}"; }

# build_programs ARGUMENTS…: what a run needs, and what else the arguments name; cargo shows how far it is. RTRD_PROGRAMS_ARE_BUILT says
# that all of it is up to date: cargo builds another selection of packages with other features, hence once more.
build_programs() {
    [ -z "${RTRD_PROGRAMS_ARE_BUILT:-}" ] || return 0
    cargo build --manifest-path "$root/Cargo.toml" --profile "$profile" \
        --package rtrd --package daq-service --package subsystem-service --package dynamics-service \
        --package gateway-service "$@"
}

say() { printf '\033[1m== %s\033[0m\n' "$*"; }

# Installs Debian packages for commands that are missing, where that is possible; otherwise says what to install.
# usage: need COMMAND PACKAGE…
need() {
    local command=$1
    shift
    command -v "$command" >/dev/null 2>&1 && return 0
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        say "installing $*"
        DEBIAN_FRONTEND=noninteractive timeout 900 sh -c 'apt-get install -y -qq "$@" || { apt-get update -qq && apt-get install -y -qq "$@"; }' install "$@" </dev/null >/dev/null 2>&1 || true
    fi
    command -v "$command" >/dev/null 2>&1 && return 0
    echo "missing: $command (install it with: sudo apt-get install $*)"
    return 1
}

# later_version FOLDER: makes an unpacked package of ours one of a later version, in which the program of acquisition differs.
later_version() {
    sed -i 's/^Version: .*/&+later/' "$1/DEBIAN/control"
    printf later >>"$1/usr/bin/daq-service"
    (cd "$1" && find . -type f ! -path './DEBIAN/*' -printf '%P\0' | xargs -0 md5sum >DEBIAN/md5sums)
}

need_rust() {
    command -v cargo >/dev/null 2>&1 && return 0
    [ -f "$HOME/.cargo/env" ] && . "$HOME/.cargo/env"
    command -v cargo >/dev/null 2>&1 && return 0
    echo "missing: cargo (install Rust with rustup, then run this again)"
    exit 1
}
