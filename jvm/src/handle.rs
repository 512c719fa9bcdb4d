//! Values that Java owns. A handle is the address of a box.

use jni::sys::jlong;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::mem;

/// The values that Java owns, each with the function that drops it.
static OWNED: Mutex<BTreeMap<jlong, unsafe fn(jlong)>> = Mutex::new(BTreeMap::new());

/// Passes ownership of a value to Java. It must be `Send`, because a virtual thread may continue on another carrier
/// thread.
pub(crate) fn give<T: Send + 'static>(value: T) -> jlong {
    let handle = Box::into_raw(Box::new(value)) as jlong;
    OWNED.lock().insert(handle, drop_box::<T>);
    handle
}

/// Returns the value of a handle.
///
/// # Safety
///
/// `handle` came from [`give`] for the same `T` and was not taken back. Java gives it back once, after its owner has
/// become unreachable (`Reaper.java`), and keeps the owner reachable until the native returns. Java itself refuses an
/// object without a value.
pub(crate) unsafe fn borrow<'a, T: Sync>(handle: jlong) -> &'a T {
    // SAFETY: see above.
    unsafe { &*(handle as *const T) }
}

/// Returns the value of a handle that only one thread at a time uses.
///
/// # Safety
///
/// As for [`borrow`]; in addition, Java never shares the handle between threads.
pub(crate) unsafe fn borrow_mut<'a, T>(handle: jlong) -> &'a mut T {
    // SAFETY: see above.
    unsafe { &mut *(handle as *mut T) }
}

/// Takes ownership back, and drops the value.
///
/// # Safety
///
/// As for [`borrow`]; afterwards the handle is invalid.
pub(crate) unsafe fn take_back<T>(handle: jlong) {
    OWNED.lock().remove(&handle);
    // SAFETY: see above.
    unsafe { drop_box::<T>(handle) };
}

/// Drops every value that was not taken back. Call it when no handle can be used any more.
pub(crate) fn drop_all() {
    for (handle, drop_box) in mem::take(&mut *OWNED.lock()) {
        // SAFETY: each handle came from `give` together with the function of its type, and was not taken back.
        unsafe { drop_box(handle) };
    }
}

unsafe fn drop_box<T>(handle: jlong) {
    // SAFETY: as for `take_back`.
    drop(unsafe { Box::from_raw(handle as *mut T) });
}
