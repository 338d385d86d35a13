# What a package may leave behind: the file system as it is, and a boot loader that notes what it is told; sourced.

# Kind, mode, owner, place and target of everything, and the content of the settings; not the books of dpkg, the journal and this suite.
snapshot() {
    find / -xdev \( -path /rt-vm -o -path /proc -o -path /sys -o -path /dev -o -path /run -o -path /tmp -o -path /var/tmp -o -path /boot/told \
        -o -path /var/lib/dpkg -o -path /var/log -o -path /var/cache -o -path '/etc/*-' -o -path /usr/lib/modules \) -prune \
        -o -printf '%y %m %U:%G %p %l\n' | sort
    find /etc -xdev -type f ! -name '*-' -exec sha256sum {} + | sort
}

# A boot loader in place of GRUB, which the machine does not have: it notes the parameters that it is told.
make_boot_loader() {
    mkdir -p /etc/default/grub.d /boot
    echo 'GRUB_CMDLINE_LINUX=quiet' >/etc/default/grub
    printf '%s\n' '#!/bin/sh' '. /etc/default/grub' 'for file in /etc/default/grub.d/*.cfg; do [ ! -f "$file" ] || . "$file"; done' \
        'echo "$GRUB_CMDLINE_LINUX" >/boot/told' >/usr/sbin/update-grub
    chmod 755 /usr/sbin/update-grub
}
