import type { Page } from '@playwright/test';

/**
 * Presses what asks a question first, and answers it.
 *
 * @returns the question
 */
export async function answerQuestion(
  page: Page,
  answer: 'accept' | 'dismiss',
  press: () => Promise<void>,
): Promise<string> {
  const asked = page.waitForEvent('dialog', { timeout: 15_000 }).then(async (dialog) => {
    await dialog[answer]();
    return dialog.message();
  });
  const [question] = await Promise.all([asked, press()]);
  return question;
}
