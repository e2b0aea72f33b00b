package io.bucketwright.app.options;

import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses {@code HOST:PORT}; an IPv6 address is in brackets. */
public final class HostPortConverter implements ITypeConverter<InetSocketAddress> {

    private static final Pattern SYNTAX = Pattern.compile("(.*):(\\d{1,5})");

    @Override
    public InetSocketAddress convert(String text) {
        Matcher matcher = SYNTAX.matcher(text);
        int port = matcher.matches() ? Integer.parseInt(matcher.group(2)) : -1;
        if (port < 0 || port > 0xffff) {
            throw new TypeConversionException("\"" + text + "\" is not HOST:PORT");
        }
        return new InetSocketAddress(matcher.group(1), port);
    }
}
