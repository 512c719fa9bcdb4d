//! The JNI face of leafmint: it converts, calls the core and converts back.
//!
//! No native blocks: what may wait is begun here, polled from Java, and parked there, so that a virtual thread is never pinned.
//! A panic becomes an exception, and Java owns every value that it was given a handle of until it hands the handle back.
// The names of natives are dictated by their Java class.
#![allow(non_snake_case)]

mod array;
mod biz_tag;
mod errors;
mod events;
mod exit;
mod genes;
mod handle;
mod layout;
mod options;
mod pending;
mod segment;
mod shard;
mod snowflake;
mod stats;
mod tables;
mod text;
mod waiting;
mod waking;

use jni::sys::{JNI_ERR, JNI_VERSION_1_8, jint};
use jni::{Env, JavaVM};
use std::ffi::c_void;
use std::panic::catch_unwind;

/// What a native answers in place of an id where none is in hand.
pub(crate) const NOT_YET: i64 = -1;

/// Loads the exception classes while the class loader of leafmint's own classes is at hand.
#[unsafe(no_mangle)]
extern "system" fn JNI_OnLoad(vm: *mut jni::sys::JavaVM, _reserved: *mut c_void) -> jint {
    let loaded = catch_unwind(|| {
        // SAFETY: the virtual machine passes a pointer to itself, which stays valid until it ends.
        let vm = unsafe { JavaVM::from_raw(vm) };
        leafmint::binding::panics::print_each_line_once();
        events::listen();
        vm.attach_current_thread(|env: &mut Env<'_>| errors::load_classes(env))
    });
    match loaded {
        Ok(Ok(())) => JNI_VERSION_1_8,
        // An exception is pending, or else the loader reports that the library could not be initialised.
        Ok(Err(_)) | Err(_) => JNI_ERR,
    }
}

/// Drops what Java has not handed back, and ends the background thread: the class loader is gone, and nobody calls this library any more.
#[unsafe(no_mangle)]
extern "system" fn JNI_OnUnload(_vm: *mut jni::sys::JavaVM, _reserved: *mut c_void) {
    let _ = catch_unwind(|| {
        handle::drop_all();
        leafmint::binding::end_background();
    });
}
