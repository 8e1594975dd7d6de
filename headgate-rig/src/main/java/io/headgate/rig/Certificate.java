package io.headgate.rig;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/**
 * A certificate for {@code localhost} and its key, as PEM files. Generated with the JDK's keytool, because the JDK has no public
 * API that signs certificates.
 */
record Certificate(Path certificate, Path key) {

    private static final String PASSWORD = "changeit";

    static Certificate create() {
        Path folder = Folders.create("tls");
        Path store = folder.resolve("store.p12");
        try {
            generate(store);
            KeyStore keys = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(store)) {
                keys.load(in, PASSWORD.toCharArray());
            }
            byte[] certificate = keys.getCertificate("redis").getEncoded();
            byte[] key = keys.getKey("redis", PASSWORD.toCharArray()).getEncoded();
            return new Certificate(
                    write(folder.resolve("certificate.pem"), "CERTIFICATE", certificate),
                    write(folder.resolve("key.pem"), "PRIVATE KEY", key));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("no certificate", e);
        }
    }

    private static void generate(Path store) throws IOException {
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "redis",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=dns:localhost,ip:127.0.0.1",
                        "-validity",
                        "365",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        store.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), US_ASCII);
        if (keytool.onExit().join().exitValue() != 0) {
            throw new IllegalStateException("keytool failed: " + said);
        }
    }

    private static Path write(Path file, String what, byte[] der) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return Files.writeString(file, "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
    }
}
