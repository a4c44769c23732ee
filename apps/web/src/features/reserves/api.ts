import type { Reserves } from '@aval/contract'
import { useEffect, useState } from 'react'
import { client } from '../../api/client.ts'
import { isAmount, isNumber, isText, listOf, shaped } from '../../api/shape.ts'
import { useAddressFlag } from '../../ui/useAddressFlag.ts'
import { usePageVisible } from '../../ui/usePageVisible.ts'

const isReserves = shaped({
  verdict: isText,
  custody: isAmount,
  in_flight: isAmount,
  wallets: listOf(shaped({ role: isText, amount: isAmount })),
  owed: shaped({
    principal: isAmount,
    balances: isAmount,
    held: isAmount,
    pending: isAmount,
    due: isAmount,
    total: isAmount,
  }),
  coverage: (value) => value === null || isNumber(value),
})

const reservesApi = client.injectEndpoints({
  endpoints: (build) => ({
    // What a member does changes what is owed, and with it what the next comparison says.
    reserves: build.query<Reserves, void>({
      query: () => ({ path: 'reserves/', fits: isReserves }),
      providesTags: ['Dashboard'],
    }),
  }),
})

export const { useReservesQuery } = reservesApi

/** They are compared every minute. */
const EVERY = 60_000
/** How often "2 minutes ago" is looked at again. */
const TICK = 15_000

/** The last comparison, and the next ones while the page is visible. */
export function useReserves() {
  const visible = usePageVisible()
  return useReservesQuery(undefined, { pollingInterval: visible ? EVERY : 0 })
}

/** The time, as far as it matters for saying how long ago something was. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), TICK)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** Whether the figures are opened: in the address, so that back closes them and a link leads to them. */
export function useOpened(): { opened: boolean; open: () => void; close: () => void } {
  const [opened, set] = useAddressFlag('show', 'reserves')
  return { opened, open: () => set(true), close: () => set(false) }
}
