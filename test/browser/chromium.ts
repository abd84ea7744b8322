import { mkdirSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import chromium from '@sparticuz/chromium';
import {
  chromium as engine,
  type Browser,
  type BrowserContext,
  type LaunchOptions,
  type Page,
} from 'playwright-core';

import { patience } from '../platform/pace.ts';

export type { Browser, Page };

/**
 * Headless Chromium. Only the path of the package's binary is used: its own list of arguments turns
 * off what is to be tested here, as the rules about origins.
 */
export async function openChromium(options: Pick<LaunchOptions, 'proxy'> = {}): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? (await unpacked());
  return engine.launch({ executablePath, args: ['--no-sandbox'], ...options });
}

/** The package unpacks its binary into the temporary folder of all test files: one at a time. */
async function unpacked(): Promise<string> {
  const lock = join(tmpdir(), 'chromium_is_unpacked');
  while (!isMade(lock)) await sleep(20);
  try {
    return await chromium.executablePath();
  } finally {
    rmdirSync(lock);
  }
}

function isMade(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

/** A page of a browser that has been nowhere, which collects what must not happen on it. */
export async function freshPage(
  browser: Browser,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<{ page: Page; context: BrowserContext; faults: string[] }> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(patience(30_000));
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => {
    if (message !== SKIPPED) faults.push(`error: ${message}`);
  });
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`);
  });
  return { page, context, faults };
}

/** Chromium says so if a third page is asked for while one fades into another. */
const SKIPPED = 'Transition was skipped';
