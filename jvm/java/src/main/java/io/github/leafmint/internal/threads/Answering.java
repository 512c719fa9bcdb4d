package io.github.leafmint.internal.threads;

import io.github.leafmint.internal.natives.GeneratorNatives;
import io.github.leafmint.internal.natives.Handle;
import io.github.leafmint.internal.natives.Native;
import io.github.leafmint.internal.natives.OptionValues;
import java.lang.ref.Reference;
import org.jspecify.annotations.Nullable;

/** Base class of what answers the core's questions, on threads of its own while a generator is open. */
public abstract sealed class Answering permits CredentialsThread, DriverThreads {
    private final Handle questions;

    /** Takes ownership of native questions. */
    Answering(long questions) {
        this.questions = new Handle(questions, Native::askedFree);
    }

    /** Returns the questions. They do not refer to what answers them. */
    public final Handle questions() {
        return questions;
    }

    /** Ends the threads. A second call does nothing. */
    public void end() {
        Native.askedEnd(questions.value());
        Reference.reachabilityFence(this);
    }

    /** Opens a native generator that asks these threads, if there are any. */
    public static long opened(@Nullable Answering asked, GeneratorNatives natives, String url, OptionValues options) {
        try {
            return natives.open(url, options, valueOf(questionsOf(asked)));
        } catch (Throwable failure) {
            end(asked);
            throw failure;
        } finally {
            Reference.reachabilityFence(asked);
        }
    }

    /** Returns the questions, {@code null} without any. */
    public static @Nullable Handle questionsOf(@Nullable Answering asked) {
        return asked == null ? null : asked.questions;
    }

    /** Returns the native value of questions, 0 without any. */
    public static long valueOf(@Nullable Handle questions) {
        return questions == null ? 0 : questions.value();
    }

    /** Ends the threads, if there are any. */
    public static void end(@Nullable Answering ended) {
        if (ended != null) {
            ended.end();
        }
    }
}
