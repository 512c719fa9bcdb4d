//! Links the library so that it stays mapped once it is loaded.
//!
//! The virtual machine unloads a library with its class loader. Threads of the background runtime may be in it then, and so may the
//! handlers that are called at a fork. On macOS a library with thread-local variables stays mapped by itself.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
}
