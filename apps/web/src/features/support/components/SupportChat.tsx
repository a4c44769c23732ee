import type { CurrentUser } from '@aval/contract'
import { type ComponentType, useEffect, useRef, useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import { IconMessageCircle, IconX } from '../../../ui/icons.ts'
import { useAddressFlag } from '../../../ui/useAddressFlag.ts'
import { usePageVisible } from '../../../ui/usePageVisible.ts'
import { useSupportUnreadQuery } from '../api.ts'
import type { ChatWindowProps } from './ChatWindow.tsx'
import './chatButton.css'

/** While the chat is closed, unread answers are looked for this often. */
const EVERY = 60_000
/** What a link in an e-mail opens the chat by: `?chat=open` */
const PARAM = 'chat'
const MOST_SHOWN = 9

const loadWindow = async (): Promise<ComponentType<ChatWindowProps>> =>
  (await import('./ChatWindow.tsx')).ChatWindow

/** A failed look ahead is nothing yet: pressing the button asks again. */
const prefetch = () => {
  loadWindow().catch(() => undefined)
}

/** The button that floats over the page, and the chat behind it, which is fetched when it is wanted. */
export function SupportChat({ user }: { user: CurrentUser | undefined }) {
  const { t } = useTranslation(['support', 'ui'])
  const [isWanted, setWanted] = useAddressFlag(PARAM, 'open', true)
  const [isOpen, setOpen] = useState(false)
  const [Window, setWindow] = useState<ComponentType<ChatWindowProps> | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  const visible = usePageVisible()
  const { data: unread = 0 } = useSupportUnreadQuery(undefined, {
    pollingInterval: visible && !isOpen ? EVERY : 0,
    skip: user === undefined,
  })

  const open = async () => {
    setOpen(true)
    try {
      const loaded = await loadWindow()
      setWindow(() => loaded)
    } catch {
      setOpen(false)
      toast.error(t('ui:failure.unreached'))
    }
  }
  const close = () => {
    setOpen(false)
    button.current?.focus({ preventScroll: true })
  }

  useEffect(() => {
    if (!isWanted || user === undefined) return
    setWanted(false)
    void open()
  })

  if (user === undefined) return null
  const isNews = unread > 0 && !isOpen
  return (
    <>
      <button
        type="button"
        ref={button}
        className="chat-button"
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        onClick={() => (isOpen ? close() : void open())}
        onPointerEnter={prefetch}
        onFocus={prefetch}
      >
        {isOpen ? <IconX size={20} stroke={1.7} /> : <IconMessageCircle size={20} stroke={1.7} />}
        <span className="chat-button-text">{t('support:title')}</span>
        {isNews ? (
          <span className="chat-badge">
            <span aria-hidden="true">{unread > MOST_SHOWN ? `${MOST_SHOWN}+` : unread}</span>
            <span className="visually-hidden">{`, ${t('support:unread', { count: unread })}`}</span>
          </span>
        ) : null}
      </button>
      {isOpen && Window !== null ? <Window user={user} onClose={close} /> : null}
    </>
  )
}
