//! The name of the host, or of the container.

/// Returns the name that the kernel has for this host; empty if it reports none.
#[cfg(target_os = "linux")]
pub fn host_name() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    name.trim().to_owned()
}

/// Returns the name that the kernel has for this host; empty if it reports none.
#[cfg(not(target_os = "linux"))]
#[allow(unsafe_code)]
pub fn host_name() -> String {
    let mut name = [0_u8; 256];
    // SAFETY: the kernel writes at most the length that is given; the last byte stays 0, and ends the text.
    let answer = unsafe { libc::gethostname(name.as_mut_ptr().cast(), name.len() - 1) };
    match std::ffi::CStr::from_bytes_until_nul(&name) {
        Ok(text) if answer == 0 => text.to_string_lossy().trim().to_owned(),
        _ => String::new(),
    }
}
