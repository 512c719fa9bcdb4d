// An agent of the JVM that writes to the file of its option what leafmint's native library looks up by name, one
// lookup a line: "class NAME", "method CLASS NAME SIGNATURE", "field CLASS NAME SIGNATURE", "forName NAME".
#define _GNU_SOURCE
#include <dlfcn.h>
#include <jvmti.h>
#include <stdio.h>
#include <string.h>

static jvmtiEnv *jvmti;
static jniNativeInterface *original;
static FILE *out;
static jmethodID for_name, for_name_and_loader;

// The libraries of the JDK look up much more.
static int is_leafmint(void *caller) {
    Dl_info found;
    return dladdr(caller, &found) && strstr(found.dli_fname, "leafmint");
}

static void write_line(const char *what, jclass class, const char *member, const char *signature) {
    char *name;
    if ((*jvmti)->GetClassSignature(jvmti, class, &name, NULL) == JVMTI_ERROR_NONE) {
        fprintf(out, "%s %s %s %s\n", what, name, member, signature);
        fflush(out);
        (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    }
}

#define RECORD(what, class, member, signature) \
    if (is_leafmint(__builtin_return_address(0))) write_line(what, class, member, signature)

static jclass find_class(JNIEnv *env, const char *name) {
    jclass class = original->FindClass(env, name);
    if (is_leafmint(__builtin_return_address(0))) {
        fprintf(out, "class L%s;\n", name);
        fflush(out);
    }
    return class;
}

static jmethodID method(JNIEnv *env, jclass class, const char *name, const char *signature) {
    RECORD("method", class, name, signature);
    return original->GetMethodID(env, class, name, signature);
}

static jmethodID static_method(JNIEnv *env, jclass class, const char *name, const char *signature) {
    RECORD("method", class, name, signature);
    return original->GetStaticMethodID(env, class, name, signature);
}

static jfieldID field(JNIEnv *env, jclass class, const char *name, const char *signature) {
    RECORD("field", class, name, signature);
    return original->GetFieldID(env, class, name, signature);
}

static jfieldID static_field(JNIEnv *env, jclass class, const char *name, const char *signature) {
    RECORD("field", class, name, signature);
    return original->GetStaticFieldID(env, class, name, signature);
}

// Class.forName, called from native code, which needs more than a lookup.
static jobject call_static(JNIEnv *env, jclass class, jmethodID called, const jvalue *arguments) {
    if (is_leafmint(__builtin_return_address(0)) && (called == for_name || called == for_name_and_loader)) {
        const char *name = original->GetStringUTFChars(env, arguments[0].l, NULL);
        fprintf(out, "forName %s\n", name);
        fflush(out);
        original->ReleaseStringUTFChars(env, arguments[0].l, name);
    }
    return original->CallStaticObjectMethodA(env, class, called, arguments);
}

static jint throw_new(JNIEnv *env, jclass class, const char *message) {
    RECORD("method", class, "<init>", "(Ljava/lang/String;)V");
    return original->ThrowNew(env, class, message);
}

static void JNICALL started(jvmtiEnv *self, JNIEnv *env, jthread thread) {
    jniNativeInterface *table;
    (*self)->GetJNIFunctionTable(self, &original);
    (*self)->GetJNIFunctionTable(self, &table);
    jclass class = original->FindClass(env, "java/lang/Class");
    const char *with_loader = "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;";
    for_name = original->GetStaticMethodID(env, class, "forName", "(Ljava/lang/String;)Ljava/lang/Class;");
    for_name_and_loader = original->GetStaticMethodID(env, class, "forName", with_loader);
    table->CallStaticObjectMethodA = call_static;
    table->FindClass = find_class;
    table->GetMethodID = method;
    table->GetStaticMethodID = static_method;
    table->GetFieldID = field;
    table->GetStaticFieldID = static_field;
    table->ThrowNew = throw_new;
    (*self)->SetJNIFunctionTable(self, table);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    out = fopen(options, "w");
    jvmtiEventCallbacks callbacks = {.VMInit = started};
    if (!out || (*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK) {
        return JNI_ERR;
    }
    (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks);
    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL);
    return JNI_OK;
}
