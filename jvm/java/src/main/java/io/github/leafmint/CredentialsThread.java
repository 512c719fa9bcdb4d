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
            private boolean ended;

            @Override
            void step() {
                ended = !answerNext(asked, supplier);
            }

            @Override
            boolean goesOn() {
                return !ended;
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
            return natives.open(url, options, valueOf(questionsOf(asked)));
        } catch (Throwable failure) {
            end(asked);
            throw failure;
        } finally {
            Reference.reachabilityFence(asked);
        }
    }

    /** Returns the questions that a thread answers. They do not refer to its supplier. */
    static @Nullable Handle questionsOf(@Nullable CredentialsThread asked) {
        return asked == null ? null : asked.questions;
    }

    /** Returns the native value of questions, 0 without any. */
    static long valueOf(@Nullable Handle questions) {
        return questions == null ? 0 : questions.value();
    }

    /** Ends the thread; a supplier that hangs is interrupted. A second call does nothing. */
    static void end(@Nullable CredentialsThread ended) {
        if (ended != null) {
            Native.credentialsEnd(ended.questions.value());
            ended.thread.interrupt();
            Reference.reachabilityFence(ended);
        }
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
