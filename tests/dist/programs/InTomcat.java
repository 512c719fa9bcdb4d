import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.apache.catalina.startup.Tomcat;

/** Deploys two web applications to one Tomcat, each with its own leafmint, and prints an id of each. */
public class InTomcat {
    public static void main(String[] arguments) throws Exception {
        var tomcat = new Tomcat();
        tomcat.setBaseDir(arguments[0]);
        tomcat.setPort(0);
        tomcat.getConnector();
        tomcat.start();
        for (String name : new String[] {"one", "two"}) {
            tomcat.addWebapp("/" + name, Path.of(arguments[0], name).toAbsolutePath().toString());
        }
        for (String name : new String[] {"one", "two"}) {
            URI uri = URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/" + name + "/id");
            HttpRequest request = HttpRequest.newBuilder(uri).build();
            System.out.println(HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.ofString())
                    .body());
        }
        tomcat.stop();
        System.exit(0);
    }
}
