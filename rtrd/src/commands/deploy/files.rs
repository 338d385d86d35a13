//! What is installed besides the programs. It is inside the program, so that the programs alone are
//! enough to install from.

/// A file with its place on the machine.
pub type Shipped = (&'static str, &'static str);

/// Units, user, device rights.
pub const SYSTEM: [Shipped; 10] = [
    ("/usr/lib/systemd/system/rtrd-daq@.service", include_str!("../../../../systemd/rtrd-daq@.service")),
    ("/usr/lib/systemd/system/rtrd-subsystem@.service", include_str!("../../../../systemd/rtrd-subsystem@.service")),
    ("/usr/lib/systemd/system/rtrd-dynamics@.service", include_str!("../../../../systemd/rtrd-dynamics@.service")),
    ("/usr/lib/systemd/system/rtrd-flight@.service", include_str!("../../../../systemd/rtrd-flight@.service")),
    ("/usr/lib/systemd/system/rtrd-machine.service", include_str!("../../../../systemd/rtrd-machine.service")),
    ("/usr/lib/systemd/system/rtrd@.target", include_str!("../../../../systemd/rtrd@.target")),
    ("/usr/lib/systemd/system/rtrd.target", include_str!("../../../../systemd/rtrd.target")),
    (SYSUSERS, include_str!("../../../../packaging/sysusers.conf")),
    ("/usr/lib/tmpfiles.d/rtrd.conf", include_str!("../../../../packaging/tmpfiles.conf")),
    ("/usr/lib/udev/rules.d/60-rtrd.rules", include_str!("../../../../packaging/60-rtrd.rules")),
];

/// The programs, in the folder of this one and in `/usr/bin`.
pub const PROGRAMS: [&str; 4] = ["rtrd", "daq-service", "subsystem-service", "dynamics-service"];

/// The definition of the user and group, and its name for `systemd-sysusers`, which takes a path
/// for one outside of `--root`.
const SYSUSERS: &str = "/usr/lib/sysusers.d/rtrd.conf";
pub const SYSUSERS_NAME: &str = "rtrd.conf";
