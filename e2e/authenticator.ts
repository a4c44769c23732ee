/** A device that keeps passkeys, in Chromium's own software. */
import type { Page } from '@playwright/test'

export interface Device {
  /** Whether it recognises its owner. */
  recognises(owner: boolean): Promise<void>
  /** Whether somebody touches it as soon as it asks. */
  isTouched(touched: boolean): Promise<void>
}

/** In the browser of this page: it knows its owner, who touches it as soon as it asks. */
export async function addAuthenticator(page: Page): Promise<Device> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    recognises: async (isUserVerified) => {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
    isTouched: async (enabled) => {
      await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
    },
  }
}
