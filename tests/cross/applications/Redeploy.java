import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

/**
 * Deploys a WAR to Tomcat, asks it for ids, and removes it, several times.
 *
 * <p>Prints the answers, and the number of leafmint's threads that are left in the end.
 */
public class Redeploy {
    public static void main(String[] arguments) throws Exception {
        var tomcat = new Tomcat();
        tomcat.setBaseDir(arguments[1]);
        tomcat.setPort(0);
        tomcat.getHost().setAppBase(arguments[1]);
        tomcat.getConnector();
        tomcat.start();
        for (int time = 0; time < Integer.parseInt(arguments[2]); time++) {
            Context application = tomcat.addWebapp("/kiosk", arguments[0]);
            System.out.println(sell(tomcat.getConnector().getLocalPort()));
            application.stop();
            application.destroy();
            tomcat.getHost().removeChild(application);
        }
        System.out.println("threads " + threads());
        tomcat.stop();
        System.exit(0);
    }

    private static String sell(int port) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/kiosk/sales"))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /** Threads that serve all generators run on for a moment after the last close. */
    private static long threads() throws InterruptedException {
        long left = 1;
        for (int tenth = 0; tenth < 600 && left > 0; tenth++) {
            Thread.sleep(100);
            left = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().startsWith("leafmint"))
                    .count();
        }
        return left;
    }
}
