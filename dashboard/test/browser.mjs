// A headless Chromium and the page in it, for tests. What a test does not expect on the console fails it.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { chromium } from "playwright-core";
import { startMock } from "./mock-gateway.mjs";

/** Machines are shared and noisy: waiting long costs nothing where it is not needed. */
export const PATIENCE_MS = 60_000;
export const real = process.env.RTRD_PAGE ?? "";
const program =
  process.env.RTRD_CHROMIUM ??
  ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));

const FLAGS = [
  "--no-sandbox",
  "--use-gl=angle",
  "--use-angle=gl-egl",
  "--ignore-gpu-blocklist",
  "--disable-accelerated-2d-canvas",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-dev-shm-usage",
  "--no-first-run",
];

let browser;
export async function launch() {
  browser ??= await chromium.launch({ executablePath: program, chromiumSandbox: false, args: FLAGS });
  return browser;
}
export const close = async () => browser?.close();

/** A test of the page. `mockOnly` says why a real gateway cannot show it. */
export function pageTest(name, options, body) {
  const skip = !program ? "no Chromium here" : real && options.mockOnly ? options.mockOnly : false;
  if (skip) console.log(`skipped: ${name}: ${skip}`);
  test(name, { skip, timeout: 4 * PATIENCE_MS }, async () => {
    const mock = real ? null : await startMock({ kind: options.kind });
    const complaints = [];
    const context = await (await launch()).newContext({ viewport: { width: 1280, height: 720 }, ...options.context });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type()) && !/GPU stall/.test(message.text()))
        complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    try {
      const address = real ? real : `${mock.url}#${options.fragment ?? "t=test"}`;
      await page.goto(address);
      await page.waitForFunction(() => window.rtrd?.frames > 5);
      await body({ page, mock, complaints, context, address });
      const unexpected = complaints.filter((text) => !options.allowed?.test(text));
      assert.deepEqual(unexpected, [], "the console says nothing that was not expected");
    } finally {
      await context.close();
      await mock?.stop();
    }
  });
}

/** Waits until this is so. */
export async function until(what, condition) {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
    await new Promise((done) => setTimeout(done, 25));
  }
}

/** How many pixels of a part of the page differ between two screenshots, and how many colours there are. */
export async function compare(page, clip, wait) {
  const first = await page.screenshot({ clip });
  await wait();
  const second = await page.screenshot({ clip });
  const scratch = await (await launch()).newPage();
  const result = await scratch.evaluate(
    async (pictures) => {
      const pixels = await Promise.all(
        pictures.map(async (data) => {
          const image = new Image();
          image.src = `data:image/png;base64,${data}`;
          await image.decode();
          const canvas = document.createElement("canvas");
          Object.assign(canvas, { width: image.width, height: image.height });
          const context = canvas.getContext("2d");
          context.drawImage(image, 0, 0);
          return new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
        }),
      );
      let changed = 0;
      for (let at = 0; at < pixels[0].length; at++) if (pixels[0][at] !== pixels[1][at]) changed += 1;
      return { changed, all: pixels[0].length, colours: new Set(pixels[1]).size };
    },
    [first.toString("base64"), second.toString("base64")],
  );
  await scratch.close();
  return result;
}

export const textOf = (page, selector) => page.locator(selector).first().textContent();
