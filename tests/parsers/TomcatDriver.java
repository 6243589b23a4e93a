/*
 * Copyright (C) the ngx_miqps authors
 *
 * What Tomcat makes of each query on standard input, by the class that reads
 * the parameters of a request, with the limit of a default connector.
 */

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.logging.LogManager;

import org.apache.tomcat.util.buf.MessageBytes;
import org.apache.tomcat.util.http.Parameters;


public final class TomcatDriver {

    private static final int MAX_PARAMETER_COUNT = 1000;


    private TomcatDriver() {
    }


    public static void main(String[] args) throws IOException {
        LogManager.getLogManager().reset();

        InputStream in = new BufferedInputStream(System.in, 1 << 20);
        PrintStream out = new PrintStream(System.out, false, "US-ASCII");
        ByteArrayOutputStream query = new ByteArrayOutputStream();
        StringBuilder text = new StringBuilder();

        Parameters params = new Parameters();
        params.setCharset(StandardCharsets.UTF_8);
        params.setQueryStringCharset(StandardCharsets.UTF_8);

        for (int c = in.read(); c != -1; c = in.read()) {
            if (c != '\n') {
                query.write(c);
                continue;
            }

            text.append(line(params, query.toByteArray())).append('\n');
            query.reset();

            if (text.length() > 1 << 20) {
                out.print(text);
                text.setLength(0);
            }
        }

        out.print(text);
        out.flush();
    }


    private static String line(Parameters params, byte[] query) {
        MessageBytes bytes = MessageBytes.newInstance();

        bytes.setBytes(query, 0, query.length);

        params.recycle();
        params.setLimit(MAX_PARAMETER_COUNT);
        params.setQuery(bytes);

        try {
            params.handleQueryParameters();

        } catch (IllegalStateException e) {
            return "ERROR:" + e.getClass().getSimpleName();
        }

        List<String> entries = new ArrayList<>();

        /* what FailedRequestFilter looks at */
        if (params.isParseFailed()) {
            entries.add("!failed=true");
        }

        Enumeration<String> names = params.getParameterNames();

        while (names.hasMoreElements()) {
            String name = names.nextElement();
            List<String> values = new ArrayList<>();

            for (String value : params.getParameterValues(name)) {
                values.add(text(value));
            }

            entries.add(text(name) + "=[" + String.join(",", values) + "]");
        }

        return String.join(" ", entries);
    }


    private static String text(String s) {
        return '"' + URLEncoder.encode(s, StandardCharsets.UTF_8) + '"';
    }
}
