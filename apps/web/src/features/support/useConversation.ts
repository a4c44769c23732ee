import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { Failure } from '../../api/failure.ts'
import { newIdempotencyKey } from '../../api/idempotency.ts'
import { storage } from '../../api/storage.ts'
import { usePageVisible } from '../../ui/usePageVisible.ts'
import { useReadMark } from '../../ui/useReadMark.ts'
import {
  PAGE_SIZE,
  sendMessage,
  useLazySupportMessagesQuery,
  useReadSupportMutation,
  useSupportMessagesQuery,
} from './api.ts'
import { Outbox } from './outbox.ts'
import { NOTHING, nextPage, withNewest, withOlder, withSent } from './thread.ts'

/** While the chat is visible it is polled this often. */
const EVERY = 10_000

let current: { memberId: number; outbox: Outbox } | null = null

/** The page has one outbox; it goes on sending when the chat is closed over it. */
function outboxOf(memberId: number): Outbox {
  if (current?.memberId !== memberId) {
    const outbox = new Outbox({ memberId, store: storage, send: sendMessage, newKey: newIdempotencyKey })
    current = { memberId, outbox }
  }
  return current.outbox
}

export function useConversation(memberId: number) {
  const outbox = outboxOf(memberId)
  const { unsent, sent } = useSyncExternalStore(outbox.subscribe, outbox.get)
  const visible = usePageVisible()
  const { data, error, isFetching, fulfilledTimeStamp, refetch } = useSupportMessagesQuery(1, {
    pollingInterval: visible ? EVERY : 0,
    refetchOnMountOrArgChange: true,
  })
  const [known, setKnown] = useState(NOTHING)
  const [loadPage, { isFetching: isLoadingOlder, error: olderError }] = useLazySupportMessagesQuery()
  const wasVisible = useRef(visible)
  const [read] = useReadSupportMutation()
  useReadMark({ id: data?.results[0]?.id ?? 0, unread: data?.unread ?? 0 }, visible, read)

  useEffect(() => {
    if (data !== undefined) setKnown((before) => withNewest(before, data))
  }, [data])
  useEffect(() => setKnown((before) => withSent(before, sent)), [sent])

  // An answer came, so the server can be reached: what waits for that goes out.
  useEffect(() => {
    if (fulfilledTimeStamp !== undefined) void outbox.retryPassing()
  }, [fulfilledTimeStamp, outbox])

  useEffect(() => {
    if (visible && !wasVisible.current) void refetch()
    wasVisible.current = visible
  }, [visible, refetch])

  const loadOlder = async () => {
    const answer = await loadPage(nextPage(known, PAGE_SIZE))
    const page = answer.data
    if (page !== undefined) setKnown((before) => withOlder(before, page))
  }
  return {
    /** Undefined until the first answer. */
    state: data?.state,
    messages: known.messages,
    hasOlder: known.older > 0,
    loadOlder,
    isLoadingOlder,
    olderFailure: isLoadingOlder ? undefined : (olderError as Failure | undefined),
    unsent,
    outbox,
    failure: error as Failure | undefined,
    isFetching,
    refetch,
  }
}
