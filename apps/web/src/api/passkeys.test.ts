import { afterEach, describe, expect, it, vi } from 'vitest'
import { askPasskey, makePasskey } from './passkeys.ts'

const REQUEST: Parameters<typeof askPasskey>[0] = {
  challenge: 'AAAA',
  rpId: 'localhost',
  timeout: 1000,
  allowCredentials: [],
  userVerification: 'required',
}
const CREATION: Parameters<typeof makePasskey>[0] = {
  challenge: 'AAAA',
  rp: { id: 'localhost', name: 'Aval' },
  user: { id: 'MTI', name: 'ana', displayName: 'ana' },
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  timeout: 1000,
  excludeCredentials: [],
  authenticatorSelection: {
    residentKey: 'required',
    requireResidentKey: true,
    userVerification: 'required',
  },
  attestation: 'none',
}

/** A browser whose answer to every request is this error. */
function browserThatThrows(name: string): void {
  const refuse = () => Promise.reject(new DOMException('no', name))
  vi.stubGlobal('location', { hostname: 'aval.example' })
  vi.stubGlobal('PublicKeyCredential', class {})
  vi.stubGlobal('navigator', { credentials: { get: refuse, create: refuse } })
}

afterEach(() => vi.unstubAllGlobals())

describe('what a browser throws', () => {
  it.each(['NotAllowedError', 'AbortError'])('%s is no error: the person closed the window', async (name) => {
    browserThatThrows(name)
    expect(await askPasskey(REQUEST)).toEqual({ state: 'cancelled' })
    expect(await makePasskey(CREATION)).toEqual({ state: 'cancelled' })
  })

  it.each([
    ['SecurityError', 'wrong_address'],
    ['NotSupportedError', 'not_supported'],
    ['UnknownError', 'failed'],
  ])('%s is said as %s', async (name, why) => {
    browserThatThrows(name)
    expect(await askPasskey(REQUEST)).toEqual({ state: 'failed', why })
  })

  it('InvalidStateError says that the device has one', async () => {
    browserThatThrows('InvalidStateError')
    expect(await makePasskey(CREATION)).toEqual({ state: 'failed', why: 'exists' })
  })
})
