package io.github.leafmint;

import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Answers the core's questions for credentials, on a thread of its own while a generator is open. */
final class CredentialsThread {
    private final Handle questions = new Handle(Native.credentialsNew(), Native::credentialsFree);
    private final Thread thread;

    private CredentialsThread(CredentialsSupplier supplier) {
        Handle asked = questions; // the thread must not refer to this object, which is not built yet
        thread = new DaemonThread("leafmint-credentials") {
            @Override
            public void run() {
                answerAll(asked, supplier);
            }
        };
    }

    /** Starts the thread of a generator that is about to be opened; {@code null} without a supplier. */
    static @Nullable CredentialsThread start(@Nullable CredentialsSupplier supplier) {
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

    /** Opens a native generator that asks this thread, if there is one. */
    static long opened(@Nullable CredentialsThread asked, GeneratorNatives natives, String url, OptionValues options) {
        try {
            return natives.open(url, options, asked == null ? 0 : asked.questions.value());
        } catch (Throwable failure) {
            end(asked);
            throw failure;
        } finally {
            Reference.reachabilityFence(asked);
        }
    }

    /** Ends the thread; a supplier that hangs is interrupted. A second call does nothing. */
    static void end(@Nullable CredentialsThread ended) {
        if (ended != null) {
            Native.credentialsEnd(ended.questions.value());
            ended.thread.interrupt();
            Reference.reachabilityFence(ended);
        }
    }

    private static void answerAll(Handle questions, CredentialsSupplier supplier) {
        boolean goesOn = true;
        while (goesOn) {
            try {
                goesOn = Native.credentialsTake(questions.value());
                if (goesOn) {
                    answer(questions.value(), supplier);
                }
            } catch (Throwable failure) { // such as OutOfMemoryError
                DaemonThread.pauseAfter(failure);
            }
        }
        Reference.reachabilityFence(questions);
    }

    private static void answer(long questions, CredentialsSupplier supplier) {
        String problem;
        try {
            Credentials supplied = supplied(supplier);
            Native.credentialsAnswer(
                    questions,
                    Text.checkedInConfig("the user", supplied.user()),
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
