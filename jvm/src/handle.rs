//! Values that Java owns by a number: the address of a box.

use jni::sys::jlong;

/// Hands a value to Java. `Send`, since a virtual thread may go on with it on another carrier thread.
pub(crate) fn give<T: Send + 'static>(value: T) -> jlong {
    Box::into_raw(Box::new(value)) as jlong
}

/// Returns the value behind a handle.
///
/// # Safety
///
/// `handle` came from [`give`] for the same `T` and has not been handed back: Java does so once, in a `Cleaner` that runs when the
/// owner cannot be reached any more, and keeps the owner reachable until the native has returned.
pub(crate) unsafe fn borrow<'a, T: Sync>(handle: jlong) -> &'a T {
    // SAFETY: see above.
    unsafe { &*(handle as *const T) }
}

/// Returns the value behind a handle that only one thread at a time uses.
///
/// # Safety
///
/// As for [`borrow`]; besides, Java never shares the handle between threads.
pub(crate) unsafe fn borrow_mut<'a, T>(handle: jlong) -> &'a mut T {
    // SAFETY: see above.
    unsafe { &mut *(handle as *mut T) }
}

/// Takes the value back, and drops it.
///
/// # Safety
///
/// As for [`borrow`]; from here on the handle is void.
pub(crate) unsafe fn take_back<T>(handle: jlong) {
    // SAFETY: see above.
    drop(unsafe { Box::from_raw(handle as *mut T) });
}
