package shop;

import io.github.leafmint.SegmentGenerator;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Answers with an id. */
@WebServlet("/id")
public class IdServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try (var ids = SegmentGenerator.open("memory:")) {
            response.getWriter().print("id " + ids.tag("order").nextId());
        }
    }
}
