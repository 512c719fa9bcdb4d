//! How a native is declared: by the name, the arguments and the result that `Native.java` gives it.
//!
//! Its body returns a `Result` of what Java gets. An error or a panic is thrown as a Java exception.

/// Declares natives. Each may begin with `env: &mut Env`, if it reads or makes objects of Java.
macro_rules! natives {
    ($($(#[$attribute:meta])* fn $name:ident($($arguments:tt)*) $(-> $result:ident)? $body:block),* $(,)?) => {
        $(natives!(@ $name ($($arguments)*) ($($result)?) $body);)*
    };
    (@ $name:ident ($env:ident: &mut Env $(, $argument:ident: $type:ident)* $(,)?) ($($result:ident)?) $body:block) => {
        #[unsafe(export_name = concat!("Java_io_github_leafmint_internal_natives_Native_", stringify!($name)))]
        extern "system" fn $name<'local>(
            env: jni::EnvUnowned<'local>,
            _class: jni::objects::JClass<'local>,
            $($argument: $crate::natives::java!('local $type),)*
        ) $(-> $crate::natives::java!('local $result))? {
            $crate::errors::call(env, |$env| $body)
        }
    };
    (@ $name:ident ($($argument:ident: $type:ident),* $(,)?) ($($result:ident)?) $body:block) => {
        natives!(@ $name (_env: &mut Env $(, $argument: $type)*) ($($result)?) $body);
    };
}

/// Declares natives that return a number and cost no [`Env`](jni::Env) unless they fail. Each may begin with `env: *mut
/// JNIEnv`, for its arrays.
macro_rules! quick_natives {
    ($($(#[$attribute:meta])* fn $name:ident($($arguments:tt)*) -> jlong $body:block),* $(,)?) => {
        $(quick_natives!(@ $name ($($arguments)*) $body);)*
    };
    (@ $name:ident ($env:ident: *mut JNIEnv $(, $argument:ident: $type:ident)* $(,)?) $body:block) => {
        #[unsafe(export_name = concat!("Java_io_github_leafmint_internal_natives_Native_", stringify!($name)))]
        extern "system" fn $name(
            $env: *mut jni::sys::JNIEnv,
            _class: jni::sys::jclass,
            $($argument: jni::sys::$type,)*
        ) -> jni::sys::jlong {
            $crate::errors::quick($env, || $body)
        }
    };
    (@ $name:ident ($($argument:ident: $type:ident),* $(,)?) $body:block) => {
        quick_natives!(@ $name (env: *mut JNIEnv $(, $argument: $type)*) $body);
    };
}

/// The type of an argument or a result.
macro_rules! java {
    ($local:lifetime jboolean) => { jni::sys::jboolean };
    ($local:lifetime jint) => { jni::sys::jint };
    ($local:lifetime jlong) => { jni::sys::jlong };
    ($local:lifetime jdouble) => { jni::sys::jdouble };
    ($local:lifetime Strings) => { jni::objects::JObjectArray<$local, jni::objects::JString<$local>> };
    ($local:lifetime $object:ident) => { jni::objects::$object<$local> };
}

/// Declares the function that returns the value of a handle, and the native that takes it back.
macro_rules! handles {
    ($visible:vis $name:ident: $type:ty $(, $free:ident)?) => {
        #[inline(always)]
        $visible fn $name<'a>(handle: jlong) -> &'a $type {
            // SAFETY: Java passes a handle of this type, whose object is reachable until the native returns.
            unsafe { $crate::handle::borrow(handle) }
        }
        $(natives!(fn $free(handle: jlong) {
            // SAFETY: the Reaper calls this once, after the Java object has become unreachable.
            unsafe { $crate::handle::take_back::<$type>(handle) };
            Ok(())
        });)?
    };
}

pub(crate) use {handles, java, natives, quick_natives};
