package io.github.leafmint.internal.threads;

import io.github.leafmint.Credentials;
import io.github.leafmint.CredentialsSupplier;
import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.StoreUnavailableException;
import io.github.leafmint.internal.Text;
import io.github.leafmint.internal.natives.Handle;
import io.github.leafmint.internal.natives.Native;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Answers the core's questions for credentials, on a thread of its own while a generator is open. Its end interrupts a
 * supplier that hangs.
 */
public final class CredentialsThread extends Answering {
    private final Thread thread;

    private CredentialsThread(CredentialsSupplier supplier) {
        super(Native.credentialsNew());
        Handle asked = questions(); // the thread must not refer to this object, which is not built yet
        thread = new DaemonThread("leafmint-credentials") {
            private boolean ended;

            @Override
            protected void step() {
                ended = !answerNext(asked, supplier);
            }

            @Override
            protected boolean goesOn() {
                return !ended;
            }
        };
    }

    /** Starts the thread of a generator that is about to be opened; {@code null} without a supplier. */
    public static @Nullable CredentialsThread start(@Nullable CredentialsSupplier supplier) {
        if (supplier == null) {
            return null;
        }
        var started = new CredentialsThread(supplier);
        try {
            started.thread.start();
        } catch (OutOfMemoryError noMoreThreads) {
            throw new StoreUnavailableException(
                    "the thread that asks for credentials could not be started: " + noMoreThreads.getMessage());
        }
        return started;
    }

    @Override
    public void end() {
        super.end();
        thread.interrupt();
    }

    /** Answers the next question. Returns false after the end. */
    private static boolean answerNext(Handle questions, CredentialsSupplier supplier) {
        try {
            if (!Native.credentialsTake(questions.value())) {
                return false;
            }
            answer(questions.value(), supplier);
            return true;
        } finally {
            Reference.reachabilityFence(questions);
        }
    }

    private static void answer(long questions, CredentialsSupplier supplier) {
        String problem;
        try {
            Credentials supplied = supplied(supplier);
            Native.credentialsAnswer(
                    questions,
                    Text.checkedInConfig("the username", supplied.username()),
                    Text.checkedInConfig("the password", supplied.password()));
            return;
        } catch (Throwable failure) {
            // A supplier may throw anything, and the thread goes on: the core asks again.
            problem = describe(failure);
        }
        Native.credentialsFail(questions, problem);
    }

    private static Credentials supplied(CredentialsSupplier supplier) throws Exception {
        // Clients look their services up through the context class loader. The supplier is reachable from here anyway.
        Thread.currentThread().setContextClassLoader(supplier.getClass().getClassLoader());
        try {
            Credentials supplied = supplier.get();
            if (supplied == null) {
                throw new InvalidConfigException("it returned null");
            }
            return supplied;
        } finally {
            Thread.currentThread().setContextClassLoader(null);
        }
    }

    private static String describe(Throwable failure) {
        try {
            String text = String.valueOf(
                    failure instanceof InvalidConfigException ? failure.getMessage() : failure.toString());
            // Encoding replaces unpaired surrogates.
            return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        } catch (Throwable unprintable) {
            return failure.getClass().getName();
        }
    }
}
