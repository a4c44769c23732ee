import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFailureText } from '../../../ui/useFailureText.ts'
import { offerWhileTyping, type PasskeyEnd, signInWithPasskey } from './passkeySignIn.ts'

/** Whether this browser can have a passkey of this address. None has for numbers, nor without https. */
export const canUsePasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && !/^[\d.]+$|:/.test(location.hostname)

/** What is said of an end; null where there is nothing to say: it went well, or the person closed the window. */
export function usePasskeyText(): (end: PasskeyEnd) => string | null {
  const { t } = useTranslation('identity')
  const sayFailure = useFailureText()
  return (end) => {
    if (end.state === 'refused') return sayFailure(end.failure)
    return end.state === 'failed' ? t('passkeyFailed') : null
  }
}

/**
 * Signing in with a passkey: by its button, and where the e-mail is typed. Browsers have one request at a time, so the
 * offer ends while the button's is open, and begins again after it.
 * @param onRefused gets the sentence to show; null for none
 */
export function usePasskeySignIn(onRefused: (text: string | null) => void) {
  const say = usePasskeyText()
  const [busy, setBusy] = useState(false)
  const running = useRef(false)
  const offered = canUsePasskeys()
  const latest = useRef({ say, onRefused })
  latest.current = { say, onRefused }

  useEffect(() => {
    if (!offered || busy) return
    return offerWhileTyping((end) => latest.current.onRefused(latest.current.say(end)))
  }, [offered, busy])

  const press = async () => {
    if (running.current) return
    running.current = true
    onRefused(null)
    setBusy(true)
    const end = await signInWithPasskey()
    // Busy until the next page is there.
    if (end.state === 'open') return
    running.current = false
    setBusy(false)
    latest.current.onRefused(latest.current.say(end))
  }
  return { offered, busy, press }
}
