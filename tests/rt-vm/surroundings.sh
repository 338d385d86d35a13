# The surroundings of a car PC: its file system before and after, a boot loader that notes what it is told, a clock; sourced.

# Kind, mode, owner, place and target of everything, and the content of the settings; not the books of dpkg, the journal and this suite.
snapshot() {
    find / -xdev \( -path /rt-vm -o -path /proc -o -path /sys -o -path /dev -o -path /run -o -path /tmp -o -path /var/tmp -o -path /boot/told \
        -o -path /var/lib/dpkg -o -path /var/log -o -path /var/cache -o -path '/etc/*-' -o -path /usr/lib/modules \) -prune \
        -o -printf '%y %m %U:%G %p %l\n' | sort
    find /etc -xdev -type f ! -name '*-' -exec sha256sum {} + | sort
}

# What only an emulator has, and what would let no report pass: its counter stops while nothing runs, so the kernel takes its time from
# the chipset. The detector of hardware latencies is left out: it spins for half of the time, which costs minutes of computing and finds nothing.
hide_emulator() {
    echo tsc >/rt-vm/clock_source
    mount --bind /rt-vm/clock_source /sys/devices/system/clocksource/clocksource0/current_clocksource
    umount /sys/kernel/tracing /sys/kernel/debug/tracing 2>/dev/null
}

# A boot loader in place of GRUB, which the machine does not have: it notes the parameters that it is told.
make_boot_loader() {
    mkdir -p /etc/default/grub.d /boot
    echo 'GRUB_CMDLINE_LINUX=quiet' >/etc/default/grub
    printf '%s\n' '#!/bin/sh' '. /etc/default/grub' 'for file in /etc/default/grub.d/*.cfg; do [ ! -f "$file" ] || . "$file"; done' \
        'echo "$GRUB_CMDLINE_LINUX" >/boot/told' >/usr/sbin/update-grub
    chmod 755 /usr/sbin/update-grub
}
