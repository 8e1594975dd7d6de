package io.headgate.spring.line;

import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import reactor.netty.http.server.ProxyProtocolSupportType;

/** Lets Reactor Netty understand the PROXY protocol. */
public class ProxyProtocol implements WebServerFactoryCustomizer<NettyReactiveWebServerFactory> {

    @Override
    public void customize(NettyReactiveWebServerFactory factory) {
        factory.addServerCustomizers(server -> server.proxyProtocol(ProxyProtocolSupportType.AUTO));
    }
}
