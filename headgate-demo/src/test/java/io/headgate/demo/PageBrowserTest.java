package io.headgate.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.WebDriver;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.support.ui.WebDriverWait;

/** The page in a real browser; skipped where there is none. */
class PageBrowserTest {

    private static final File BROWSER = new File("/usr/bin/chromium");
    private static final File DRIVER = new File("/usr/bin/chromedriver");

    private @Nullable Instance demo;
    private WebDriver browser;

    @BeforeEach
    void open() {
        assumeTrue(BROWSER.canExecute() && DRIVER.canExecute(), "there is no browser");
        demo = Instance.start();
        ChromeOptions options = new ChromeOptions();
        options.setBinary(BROWSER);
        options.addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1280,1000");
        ChromeDriverService driver =
                new ChromeDriverService.Builder().usingDriverExecutable(DRIVER).build();
        browser = new ChromeDriver(driver, options);
        browser.get(demo.url());
    }

    @AfterEach
    void close() {
        if (demo != null) {
            browser.quit();
            demo.close();
        }
    }

    @Test
    void showsTheRulesAndWhatEveryButtonIsAnswered() {
        assertThat(await("#rows tr", 8)).extracting(WebElement::getText).anyMatch(row -> row.contains("leaky-bucket"));

        for (WebElement button : browser.findElements(By.cssSelector("#calls button"))) {
            button.click();
        }

        assertThat(await("#log li", 9)).extracting(WebElement::getText).allMatch(answer -> answer.startsWith("200"));
    }

    @Test
    void showsTheEleventhDenied() {
        browser.findElement(By.id("burst")).click();

        List<WebElement> answers = await("#log li", 11);

        assertThat(answers.get(0).getText()).startsWith("429").contains("retry-after", "\"public\";r=0;t=");
        assertThat(answers.subList(1, 11)).extracting(WebElement::getText).allMatch(text -> text.startsWith("200"));
    }

    private List<WebElement> await(String selector, int count) {
        new WebDriverWait(browser, Duration.ofSeconds(20))
                .until(page -> page.findElements(By.cssSelector(selector)).size() == count);
        return browser.findElements(By.cssSelector(selector));
    }
}
