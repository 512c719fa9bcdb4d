//! Values that Java owns by a number: the address of a box.

use jni::sys::jlong;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::mem;

/// The values that Java owns, each with what drops it.
static OWNED: Mutex<BTreeMap<jlong, unsafe fn(jlong)>> = Mutex::new(BTreeMap::new());

/// Hands a value to Java. `Send`, since a virtual thread may go on with it on another carrier thread.
pub(crate) fn give<T: Send + 'static>(value: T) -> jlong {
    let handle = Box::into_raw(Box::new(value)) as jlong;
    OWNED.lock().insert(handle, drop_box::<T>);
    handle
}

/// Returns the value behind a handle.
///
/// # Safety
///
/// `handle` came from [`give`] for the same `T` and has not been handed back: Java does so once, when the owner cannot be reached any more
/// (`Reaper.java`), and keeps the owner reachable until the native has returned. An object without a value is refused in Java.
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
    OWNED.lock().remove(&handle);
    // SAFETY: see above.
    unsafe { drop_box::<T>(handle) };
}

/// Drops every value that was not taken back, when no handle can be used any more.
pub(crate) fn drop_all() {
    for (handle, drop_box) in mem::take(&mut *OWNED.lock()) {
        // SAFETY: each handle came from `give` with the function of its type, and was not taken back.
        unsafe { drop_box(handle) };
    }
}

unsafe fn drop_box<T>(handle: jlong) {
    // SAFETY: as for `take_back`.
    drop(unsafe { Box::from_raw(handle as *mut T) });
}
