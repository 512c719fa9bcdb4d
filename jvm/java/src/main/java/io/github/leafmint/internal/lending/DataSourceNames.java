package io.github.leafmint.internal.lending;

import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.BiPredicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Names data sources, without connecting and without secrets. */
public final class DataSourceNames {
    private static final List<String> URLS = List.of("getJdbcUrl", "getRawJdbcUrl", "getUrl", "getURL");
    private static final List<String> USERS = List.of("getUsername", "getUser");

    /** What decides, besides the URL, where an unqualified table is. */
    private static final List<String> SCHEMAS = List.of(
            "getDatabaseName", "getCatalog", "getDefaultCatalog", "getSchema", "getDefaultSchema", "getCurrentSchema");

    /** The same in a URL. */
    private static final Set<String> PARAMETERS =
            Set.of("currentschema", "schema", "database", "databasename", "catalog", "sessionvariables", "options");

    /** What wrappers call what they wrap. */
    private static final List<String> TARGETS =
            List.of("getTargetDataSource", "getDataSource", "getRealDataSource", "getWrappedDataSource", "getDelegate");

    private static final int MOST_WRAPPERS = 8;

    private static final List<WeakReference<Object>> UNKNOWN = new ArrayList<>();

    private DataSourceNames() {}

    /** Names a data source by its class and by what its bean properties say. */
    public static String of(DataSource source) {
        if (source instanceof KnownDataSource known) {
            return known.name();
        }
        String name = classOf(source);
        DataSource at = source;
        for (int depth = 0; at != null && depth < MOST_WRAPPERS; depth++) {
            String url = text(at, URLS);
            if (url != null) {
                return name + " " + ofUrl(url) + user(at) + schema(at);
            }
            DataSource target = targetOf(at);
            if (target == null) {
                return name + numbered(source) + user(at) + schema(at);
            }
            at = target;
        }
        return name + numbered(source);
    }

    /** Returns whether a data source or one that it wraps fits, by itself and its URL, which may be empty. */
    static boolean hasOnTheWay(DataSource source, BiPredicate<DataSource, String> fits) {
        DataSource at = source;
        for (int depth = 0; at != null && depth < MOST_WRAPPERS; depth++) {
            String url = text(at, URLS);
            if (fits.test(at, url == null ? "" : url)) {
                return true;
            }
            at = targetOf(at);
        }
        return false;
    }

    /** Tells sources apart that do not say where they lead. The first has no number: mostly it is the only one. */
    static String numbered(Object source) {
        synchronized (UNKNOWN) {
            int free = UNKNOWN.size();
            for (int at = UNKNOWN.size() - 1; at >= 0; at--) {
                Object other = UNKNOWN.get(at).get();
                if (other == source) {
                    return at == 0 ? "" : " " + (at + 1);
                }
                free = other == null ? at : free;
            }
            if (free == UNKNOWN.size()) {
                UNKNOWN.add(new WeakReference<>(source));
            } else {
                UNKNOWN.set(free, new WeakReference<>(source));
            }
            return free == 0 ? "" : " " + (free + 1);
        }
    }

    /** Returns a URL without accounts, and without the parameters that do not choose tables. */
    public static String ofUrl(String url) {
        int end = firstOf(url, "?;");
        var kept = new ArrayList<String>();
        for (String parameter : parametersOf(url)) {
            if (PARAMETERS.contains(nameOf(parameter))) {
                kept.add(parameter);
            }
        }
        String place = DriverFailure.withoutSecrets(withoutAccounts(url.substring(0, end)));
        return kept.isEmpty() ? place : place + "?" + String.join("&", kept);
    }

    private static String[] parametersOf(String url) {
        return url.substring(firstOf(url, "?;")).split("[?;&]");
    }

    private static String nameOf(String parameter) {
        int equals = parameter.indexOf('=');
        return equals < 0 ? "" : parameter.substring(0, equals).strip().toLowerCase(Locale.ROOT);
    }

    /** Returns whether a URL has a parameter, by its exact name. */
    public static boolean hasParameter(String url, String name) {
        for (String parameter : parametersOf(url)) {
            if (parameter.startsWith(name + "=")) {
                return true;
            }
        }
        return false;
    }

    private static int firstOf(String url, String marks) {
        for (int at = 0; at < url.length(); at++) {
            if (marks.indexOf(url.charAt(at)) >= 0) {
                return at;
            }
        }
        return url.length();
    }

    /** Cuts {@code user:password@} from each host of a URL, or from the beginning of one of Oracle's. */
    private static String withoutAccounts(String url) {
        int hosts = url.indexOf("//");
        int last = url.lastIndexOf('@');
        if (last < 0 || hosts < 0 || last < hosts) {
            return last < 0 ? url : url.substring(0, url.indexOf(':', "jdbc:".length()) + 1) + url.substring(last);
        }
        String[] parts = url.substring(hosts + 2).split(",", -1);
        for (int at = 0; at < parts.length; at++) {
            parts[at] = parts[at].substring(parts[at].lastIndexOf('@') + 1);
        }
        return url.substring(0, hosts + 2) + String.join(",", parts);
    }

    private static String user(DataSource source) {
        String user = text(source, USERS);
        return user == null ? "" : " as " + user;
    }

    private static String schema(DataSource source) {
        var found = new StringBuilder();
        for (String getter : SCHEMAS) {
            String value = text(source, List.of(getter));
            if (value != null) {
                found.append(found.isEmpty() ? " in " : ".").append(value);
            }
        }
        return found.toString();
    }

    /** Returns a class name that is the same after a restart: generated classes have numbers. */
    private static String classOf(DataSource source) {
        Class<?> type = source.getClass();
        if (Proxy.isProxyClass(type)) {
            return "DataSource";
        }
        String name = type.getName();
        int generated = name.indexOf("$$");
        String stable = generated < 0 ? name : name.substring(0, generated);
        return stable.substring(stable.lastIndexOf('.') + 1);
    }

    private static @Nullable DataSource targetOf(DataSource source) {
        for (String getter : TARGETS) {
            if (read(source, getter) instanceof DataSource target && target != source) {
                return target;
            }
        }
        return null;
    }

    private static @Nullable String text(DataSource source, List<String> getters) {
        for (String getter : getters) {
            if (read(source, getter) instanceof String value && !value.isBlank()) {
                return value;
            }
        }
        return null;
    }

    private static @Nullable Object read(DataSource source, String getter) {
        try {
            return source.getClass().getMethod(getter).invoke(source);
        } catch (ReflectiveOperationException | RuntimeException | LinkageError without) {
            return null;
        }
    }
}
