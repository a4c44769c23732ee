import type { CurrentUser, SupportTopic } from '@aval/contract'
import { useFocusTrap, useMediaQuery } from '@mantine/hooks'
import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { storage } from '../../../api/storage.ts'
import { Composer } from '../../../ui/Composer.tsx'
import { IconArrowsDiagonal, IconArrowsDiagonalMinimize2, IconX } from '../../../ui/icons.ts'
import { type Draft, loadDraft, NO_DRAFT, saveDraft } from '../keeping.ts'
import { useConversation } from '../useConversation.ts'
import { ChatThread } from './ChatThread.tsx'
import './chatWindow.css'

/** As the server counts. */
const LONGEST = 2000
const PHONE = '(max-width: 575px)'

export interface ChatWindowProps {
  user: CurrentUser
  onClose: () => void
}

/** The chat beside the page; on a phone, over all of it. */
export function ChatWindow({ user, onClose }: ChatWindowProps) {
  const { t } = useTranslation('support')
  const id = useId()
  const isPhone = useMediaQuery(PHONE, window.matchMedia(PHONE).matches)
  const [isWide, setWide] = useState(false)
  const trap = useFocusTrap(isPhone === true)
  const input = useRef<HTMLTextAreaElement>(null)
  const chat = useConversation(user.id)
  const { draft, setDraft, choose } = useDraft(user, input)
  useQuietPage(isPhone === true)

  // On a phone its keyboard would cover half of what is to be read: there the trap begins at the title.
  useEffect(() => {
    if (!window.matchMedia(PHONE).matches) input.current?.focus({ preventScroll: true })
  }, [])

  const send = (text: string) => {
    void chat.outbox.add(text, draft.topic, new Date().toISOString())
    setDraft(NO_DRAFT)
    input.current?.focus({ preventScroll: true })
  }
  return (
    <div
      ref={trap}
      className="chat"
      role="dialog"
      aria-modal={isPhone === true || undefined}
      aria-labelledby={id}
      tabIndex={-1}
      data-wide={isWide}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
    >
      <ChatHead titleId={id} isWide={isWide} onWiden={() => setWide(!isWide)} onClose={onClose} />
      <ChatThread chat={chat} topic={draft.topic} onTopic={choose} />
      <div className="chat-foot">
        {draft.topic === null ? null : (
          <Topic topic={draft.topic} onRemove={() => setDraft({ ...draft, topic: null })} />
        )}
        <Composer
          ref={input}
          label={t('message')}
          placeholder={t('placeholder')}
          sendLabel={t('send')}
          longest={LONGEST}
          enterSends
          value={draft.text}
          onChange={(text) => setDraft({ ...draft, text })}
          onSend={send}
        />
      </div>
    </div>
  )
}

interface ChatHeadProps {
  titleId: string
  isWide: boolean
  onWiden: () => void
  onClose: () => void
}

function ChatHead({ titleId, isWide, onWiden, onClose }: ChatHeadProps) {
  const { t } = useTranslation('support')
  const label = t(isWide ? 'narrow' : 'widen')
  const Icon = isWide ? IconArrowsDiagonalMinimize2 : IconArrowsDiagonal
  return (
    <div className="chat-head">
      <h2 id={titleId} tabIndex={-1} data-autofocus>
        {t('title')}
      </h2>
      <button
        type="button"
        className="icon-button chat-widen"
        aria-label={label}
        title={label}
        onClick={onWiden}
      >
        <Icon size={18} stroke={1.6} />
      </button>
      <button type="button" className="icon-button" aria-label={t('close')} onClick={onClose}>
        <IconX size={20} stroke={1.6} />
      </button>
    </div>
  )
}

function Topic({ topic, onRemove }: { topic: SupportTopic; onRemove: () => void }) {
  const { t } = useTranslation('support')
  return (
    <p className="chat-topic">
      <span>
        {t('topic')}: <strong>{t(`topics.${topic}`)}</strong>
      </span>
      <button type="button" className="chat-topic-remove" aria-label={t('removeTopic')} onClick={onRemove}>
        <IconX size={14} stroke={1.8} />
      </button>
    </p>
  )
}

/** What is typed outlives the chat, the page and the visit; a quick reply begins it. */
function useDraft(user: CurrentUser, input: RefObject<HTMLTextAreaElement | null>) {
  const { t } = useTranslation('support')
  const [draft, setDraftState] = useState(() => loadDraft(storage, user.id))
  const setDraft = (next: Draft) => {
    setDraftState(next)
    saveDraft(storage, user.id, next)
  }
  const beginningOf = (topic: SupportTopic) => {
    if (topic === 'callback' && user.phone_number !== '')
      return t('begin.callbackTo', { phone: user.phone_number })
    return t(`begin.${topic}`)
  }
  // Typed text is never replaced; an untouched suggestion is.
  const choose = (topic: SupportTopic) => {
    const isUntouched =
      draft.text.trim() === '' || (draft.topic !== null && draft.text === beginningOf(draft.topic))
    const text = isUntouched ? beginningOf(topic) : draft.text
    setDraft({ text, topic })
    input.current?.focus({ preventScroll: true })
  }
  return { draft, setDraft, choose }
}

/** Under a sheet that covers it the page does not scroll. */
function useQuietPage(isQuiet: boolean): void {
  useEffect(() => {
    if (!isQuiet) return
    const root = document.documentElement
    const before = root.style.overflow
    root.style.overflow = 'hidden'
    return () => {
      root.style.overflow = before
    }
  }, [isQuiet])
}
