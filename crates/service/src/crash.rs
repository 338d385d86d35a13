//! How a service dies when it has to: with a message that says where, and a core for those who want
//! to know why.

use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// From now on a panic is a message and an abort. Unwinding would run destructors over a state that
/// is no longer consistent, give the blocks back as if all were well, and leave no core.
pub fn end_with_a_core() {
    std::panic::set_hook(Box::new(|panic| {
        tracing::error!("panic: {panic}");
        std::process::abort();
    }));
    // As large as the administrator allows. Without the right to it there is a message only.
    let raised = getrlimit(Resource::RLIMIT_CORE).and_then(|(_, hard)| setrlimit(Resource::RLIMIT_CORE, hard, hard));
    if let Err(errno) = raised {
        tracing::debug!("core dumps stay as they are: {errno}");
    }
}
