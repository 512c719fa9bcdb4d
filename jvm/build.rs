//! Links the library so that it stays mapped after it was loaded, and without a symbol table.
//!
//! The JVM unloads a library together with its class loader. At that time threads of the background runtime may still
//! run its code, and so may fork handlers. On macOS a library with thread-local variables stays mapped without this.
//!
//! Every start copies the library out of the JAR, and the names of its functions are a fifth of it. Reports of crashes
//! and profilers show addresses instead.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
        println!("cargo:rustc-cdylib-link-arg=-Wl,--strip-all");
    }
}
