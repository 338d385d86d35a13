//! Whose region may be mapped. Who may write a file may also shorten it, and whoever has it mapped
//! then dies of SIGBUS; so a region is used only where its file is of ourselves, of root, or of the
//! group that was agreed on (docs/decisions/0023-who-may-make-a-region.md).

use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use nix::unistd::{Gid, Group, getegid, geteuid, getgroups};

use crate::error::RegionError;
use crate::file::group_id;

/// Rights that nobody outside of owner and group may have.
const RIGHTS_OF_OTHERS: u32 = 0o007;
/// The group of an installed system, whose regions root may look at without being a member.
const INSTALLED_GROUP: &str = "rtrd";

/// What somebody wants with a region, which decides whose it may be.
#[derive(Clone, Copy, Debug)]
pub enum Purpose<'a> {
    /// To take part. With a group the region must be of that group, whoever made it.
    TakePart(Option<&'a str>),
    /// To look: members of the file's group may.
    Look,
}

/// Checks the open file, so that nobody can put another one in its place afterwards.
pub fn check_maker(path: &Path, file: &File, purpose: Purpose) -> Result<(), RegionError> {
    let found = file.metadata().map_err(RegionError::system("examining", path))?;
    let (owner, group, mode) = (found.uid(), found.gid(), found.mode() & 0o7777);
    let user = geteuid().as_raw();
    let is_ours = owner == user || owner == 0;
    let expected = match purpose {
        _ if mode & RIGHTS_OF_OTHERS != 0 => "no rights for others".to_owned(),
        Purpose::TakePart(Some(name)) => match group_id(path, name)?.as_raw() {
            agreed if agreed == group => return Ok(()),
            agreed => format!("group {agreed}, which is {name:?} of `instance.group`"),
        },
        _ if is_ours => return Ok(()),
        Purpose::TakePart(None) => format!("user {user}, which is this one, or root"),
        Purpose::Look if is_member(Gid::from_raw(group)) => return Ok(()),
        Purpose::Look => format!("user {user}, which is this one, root, or a group of this user"),
    };
    Err(RegionError::Untrusted { path: path.to_owned(), owner, group, mode, expected })
}

fn is_member(group: Gid) -> bool {
    let is_installed = || Group::from_gid(group).ok().flatten().is_some_and(|found| found.name == INSTALLED_GROUP);
    getegid() == group
        || getgroups().is_ok_and(|groups| groups.contains(&group))
        || (geteuid().is_root() && is_installed())
}
