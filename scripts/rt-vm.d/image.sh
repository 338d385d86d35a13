# The root file system and the initial file system of the virtual machine; sourced by scripts/rt-vm.

# The packages: those of this machine's own release, so that programs built here run there. Documents and translations are left out.
make_base() {
    local packages=systemd,systemd-sysv,udev,dbus,kmod,iproute2,procps,adduser,rt-tests,stress-ng,can-utils
    grep -v -- "$release-backports" "$apt/sources.list" | APT_CONFIG='' download mmdebstrap --variant=minbase --include="$packages" \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
        --dpkgopt='path-exclude=/usr/share/locale/*' --aptopt='Acquire::Languages "none"' --format=tar "$release" root.tar -
}

# The root disk: the packages and our few files, with the owners that the archive names.
make_image() {
    as_owner_of_files bash -ec "
        mkdir root
        tar -xf '$base/root.tar' -C root --numeric-owner --exclude='./dev/*'
        bash -e '$here/guest/customise' root '$here/guest'
        mke2fs -q -t ext4 -O ^has_journal -L root -d root root.img \$((\$(du -sm root | cut -f1) * 12 / 10 + 1024))M
        rm -rf root"
}

# Files of several owners can be made by root, or by a user in a namespace of its own.
as_owner_of_files() {
    if [ "$(id -u)" = 0 ]; then "$@"; else unshare --map-auto --map-root-user "$@"; fi
}

# make_initial_file_system ROOT VERSION FILE: busybox with the modules for the disks; it mounts the root and hands over.
make_initial_file_system() {
    local modules=() list folder
    folder=$(mktemp -d -p .)
    mkdir -p "$folder"/{bin,dev,proc,sys,root,modules}
    cp "$(command -v busybox)" "$folder/bin/busybox"
    mapfile -t list < <(for module in virtio_pci virtio_blk ext4; do
        modprobe -d "$1" -S "$2" --show-depends "$module" | awk '$1 == "insmod" { print $2 }'
    done | awk '!seen[$0]++')
    for module in "${list[@]}"; do
        cp "$module" "$folder/modules/"
        modules+=("$(basename "$module")")
    done
    [ ${#modules[@]} -gt 0 ] || { echo "no modules for the disks in kernel $2"; return 1; }
    sed "s|@MODULES@|${modules[*]}|" "$here/guest/init" >"$folder/init"
    chmod +x "$folder/init"
    (cd "$folder" && find . | busybox cpio -o -H newc) | gzip -1 >"$3"
    rm -rf "$folder"
}
