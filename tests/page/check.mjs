// check.mjs CHROMIUM PAGE...: looks at the pages as a reader would, and prints "ok: ..." or "FAILED: ..." a check.
//
// Every page is opened at three widths, in light and dark. Nothing may be logged, nothing loaded but the file, nothing
// wider than the window, and axe-core must find nothing. Then what a person does: keyboard, tap, mouse, print, no script.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [, , executablePath, ...paths] = process.argv;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const widths = [360, 768, 1440];
const schemes = ["light", "dark"];
const page_of = (name) => paths.find((path) => basename(path) === `${name}.html`);

const report = (name, faults) => {
  if (faults.length === 0) console.log(`ok: ${name}`);
  else console.log(`FAILED: ${name}: ${faults.slice(0, 5).join("; ")}`);
};

const browser = await chromium.launch({
  executablePath,
  args: [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
  ],
});

// A page in a context of its own, with what it logged and loaded.
const open = async (path, options) => {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const heard = [];
  const url = pathToFileURL(path).href;
  page.on("console", (message) => heard.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => heard.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => heard.push(`dialog: ${dialog.message()}`) && dialog.dismiss());
  page.on("request", (request) => {
    if (request.url() !== url && request.url() !== "data:,") heard.push(`request: ${request.url().slice(0, 80)}`);
  });
  await page.goto(url);
  return { page, heard, close: () => context.close() };
};

const axe_faults = async (page) => {
  await page.evaluate(axe);
  const result = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return result.violations.map((v) => `axe ${v.id} ×${v.nodes.length}: ${v.nodes[0].html.slice(0, 120)}`);
};

const too_wide = (page) =>
  page.evaluate(() => {
    const wide = document.documentElement.scrollWidth;
    return wide > window.innerWidth ? [`${wide} wide in ${window.innerWidth}`] : [];
  });

const everywhere = async (path) => {
  for (const width of widths)
    for (const colorScheme of schemes) {
      const { page, heard, close } = await open(path, { viewport: { width, height: 900 }, colorScheme });
      const faults = [...heard, ...(await too_wide(page))];
      // axe takes long on very many elements: there two of the six are enough.
      const seldom = basename(path) === "many.html" && !(width === 360 && colorScheme === "dark");
      if (!seldom || (width === 1440 && colorScheme === "light")) faults.push(...(await axe_faults(page)));
      report(`${basename(path)}, ${width} px, ${colorScheme}`, [...faults, ...heard]);
      await close();
    }
};

const opened = (page) => page.locator(".kind:popover-open");
const lacks = async (locator, ...words) => {
  const text = (await locator.count()) === 1 ? await locator.innerText() : "";
  return words.filter((word) => !text.includes(word)).map((word) => `does not say "${word}"`);
};

const keyboard = async (path) => {
  const { page, close } = await open(path, { viewport: { width: 1440, height: 900 } });
  let tabs = 0;
  do await page.keyboard.press("Tab");
  while (!(await page.evaluate(() => document.activeElement.matches("button.p"))) && ++tabs < 60);
  await page.keyboard.press("Enter");
  const faults = await lacks(opened(page), "Why", "Refused", "GiB");
  faults.push(...(await axe_faults(page)));
  await page.keyboard.press("Escape");
  if ((await opened(page).count()) !== 0) faults.push("Escape does not close it");
  report("keyboard: Tab reaches a partition, Enter opens its text, Escape closes it", faults);
  await close();
};

const tap = async (path) => {
  const { page, close } = await open(path, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  await page.locator("button.p").nth(1).tap();
  const faults = await lacks(opened(page), "Why", "Refused", "GiB");
  faults.push(...(await too_wide(page)));
  await opened(page).getByRole("button", { name: "Close" }).tap();
  if ((await opened(page).count()) !== 0) faults.push("Close does not close it");
  report("tap: opens a partition's text, and closes it", faults);
  await close();
};

const mouse = async (path) => {
  const { page, close } = await open(path, { viewport: { width: 1440, height: 900 } });
  const box = page.locator("button.p").first();
  await box.hover();
  const title = await box.getAttribute("title");
  report("hover: says what it holds, why, and what was refused", title?.includes("Refused") ? [] : [`"${title}"`]);
  const link = page.locator("#findings a").first();
  const target = (await link.getAttribute("href")).slice(1);
  await link.click();
  const seen = await page.evaluate((id) => document.querySelector(":target")?.id === id, target);
  report("a finding leads to what it is about", seen ? [] : [`#${target} is not the target`]);
  await page.locator(".kind a").first().evaluate((element) => {
    document.getElementById(element.closest(".kind").id).showPopover();
    element.click();
  });
  await page.locator("details.w[open] dl").first().waitFor({ timeout: 5000 });
  report("a partition leads to all about its workload", (await opened(page).count()) === 0 ? [] : ["it stays open"]);
  await close();
};

const without_script = async (path) => {
  const { page, heard, close } = await open(path, {
    viewport: { width: 768, height: 900 },
    javaScriptEnabled: false,
  });
  await page.locator("button.p").first().click();
  const faults = await lacks(opened(page), "Why", "Refused");
  await page.keyboard.press("Escape");
  await page.locator("details.w summary").first().click();
  if (!(await page.locator("details.w dl").first().isVisible())) faults.push("reasons do not open");
  report("without scripts it opens all the same", [...faults, ...heard]);
  await close();
};

const print = async (path) => {
  const { page, close } = await open(path, { viewport: { width: 690, height: 980 } });  // A4 without margins
  await page.emulateMedia({ media: "print" });
  const hidden = await page.evaluate(() =>
    Array.from(document.querySelectorAll(".kind, .w dl, .who ul, #proof table"))
      .filter((element) => !element.checkVisibility({ contentVisibilityAuto: false }) || element.offsetHeight === 0)
      .map((element) => element.outerHTML.slice(0, 60)),
  );
  const narrow = await page.evaluate(() =>
    Array.from(document.querySelectorAll(".w summary b"))
      .filter((name) => name.offsetWidth < 40)
      .map((name) => `${name.textContent} is ${name.offsetWidth} wide`),
  );
  hidden.push(...narrow);
  const pdf = await page.pdf({ format: "A4" });
  if (!pdf.subarray(0, 5).equals(Buffer.from("%PDF-"))) hidden.push("no PDF");
  report(`print: all is open, ${pdf.length} bytes of PDF`, hidden);
  await close();
};

const filter = async (path) => {
  const { page, close } = await open(path, { viewport: { width: 1440, height: 900 } });
  const all = await page.locator(".card").count();
  await page.locator("#filter input").fill("team3-work1");
  const shown = await page.locator(".card:visible").count();
  report(`the filter shows ${shown} of ${all} drawings`, shown > 0 && shown < all ? [] : ["not a part of them"]);
  await close();
};

// From the start of the navigation until it is loaded and painted; the best of five, for the machine has other work.
const speed = async (path) => {
  const times = [];
  for (let i = 0; i < 5; ++i) {
    const { page, close } = await open(path, { viewport: { width: 1440, height: 900 } });
    times.push(
      await page.evaluate(async () => {
        const painted = () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime;
        while (painted() === undefined) await new Promise((resolve) => setTimeout(resolve, 10));
        return Math.max(painted(), performance.getEntriesByType("navigation")[0].loadEventEnd);
      }),
    );
    await close();
  }
  const best = Math.round(Math.min(...times));
  report(`${basename(path)} is loaded and painted in ${best} ms`, best < 1000 ? [] : ["the bar is 1000 ms"]);
};

const drawing = async (path) => {
  for (const colorScheme of schemes) {
    const { page, heard, close } = await open(path.replace(/html$/, "svg"), { colorScheme });
    const faults = await page.evaluate(() =>
      document.documentElement.localName === "svg" && document.querySelector("parsererror") === null
        ? [] : ["not an SVG"]);
    report(`${basename(path, ".html")}.svg, ${colorScheme}`, [...faults, ...heard]);
    await close();
  }
};

try {
  for (const path of paths) await everywhere(path);
  for (const path of paths) await drawing(path);
  await keyboard(page_of("team"));
  await tap(page_of("team"));
  await mouse(page_of("team"));
  await without_script(page_of("team"));
  await print(page_of("choices"));
  await filter(page_of("many"));
  await speed(page_of("many"));
} finally {
  await browser.close();
}
