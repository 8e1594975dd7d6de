package io.headgate.spring.cloud.gateway;

import io.headgate.spring.cloud.gateway.Gateway.Kind;

class WebFluxGatewayTest extends GatewayContract {

    WebFluxGatewayTest() {
        super(Kind.WEBFLUX);
    }
}
