//! The JNI binding of leafmint: it converts arguments, calls the core, and converts results.
//!
//! No native that waits for ids or for a store blocks: it begins the work, and Java polls it and parks, so that a
//! virtual thread is never pinned. A panic becomes an exception. Java owns every value that has a handle, until it
//! gives the handle back.
// JNI prescribes the names of natives.
#![allow(non_snake_case)]

mod array;
mod asked;
mod at_exit;
mod audit;
mod credentials;
mod errors;
mod format;
mod gapless;
mod gene;
mod handle;
mod id_keys;
mod id_text;
mod layout;
mod lending;
mod logs;
mod natives;
mod options;
mod pending;
mod period_tables;
mod public_ids;
mod records;
mod schema;
mod scrambled;
mod segment;
mod series;
mod shard_rule;
mod snowflake;
mod stats;
mod tag;
mod text;
mod virtual_clock;
mod waiting;
mod waking;

use jni::JavaVM;
use jni::sys::{JNI_ERR, JNI_VERSION_1_8, jint};
use std::ffi::c_void;
use std::panic::catch_unwind;

/// Stands for an id or an answer that is not available yet.
pub(crate) const NOT_YET: i64 = -1;

/// Loads the exception classes with the class loader of leafmint's own classes, which is the caller here.
#[unsafe(no_mangle)]
extern "system" fn JNI_OnLoad(vm: *mut jni::sys::JavaVM, _reserved: *mut c_void) -> jint {
    let loaded = catch_unwind(|| {
        // SAFETY: the JVM passes a pointer to itself, which stays valid until it ends.
        let vm = unsafe { JavaVM::from_raw(vm) };
        leafmint::binding::panics::print_each_line_once();
        logs::listen();
        // The JVM loads libraries on threads of its own, so nothing is attached here: that takes locks of the JVM and
        // of its agents. An exception stays pending, and the loader reports it.
        vm.with_top_local_frame(errors::load_classes)
    });
    match loaded {
        Ok(Ok(())) => JNI_VERSION_1_8,
        // An exception is pending, or else the loader reports that the library could not be initialised.
        Ok(Err(_)) | Err(_) => JNI_ERR,
    }
}

/// Drops what Java has not given back, and ends the background thread. The class loader is gone, so there are no more
/// calls.
#[unsafe(no_mangle)]
extern "system" fn JNI_OnUnload(_vm: *mut jni::sys::JavaVM, _reserved: *mut c_void) {
    let _ = catch_unwind(|| {
        handle::drop_all();
        leafmint::binding::end_background();
    });
}
