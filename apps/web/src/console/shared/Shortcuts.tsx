import { useHotkeys } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { storage } from '../../api/storage.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import './shortcuts.css'

/** One key, and what it does on this page. */
export interface Shortcut {
  /** As it is shown: a letter is the key that is bound as well. */
  readonly name: string
  readonly does: string
  /** Left out where the browser does it by itself: Enter on a link. */
  readonly run?: () => void
}

const KEPT = 'console_keys'
const TEXT_FIELDS = 'textarea, select, input:not([type="checkbox"], [type="radio"]), [contenteditable="true"]'
const OVERLAYS = '[role="dialog"], [role="alertdialog"], [role="menu"]'

/** What is typed into a field, and what is pressed in a dialog, is meant for that. */
const isElsewhere = ({ target }: KeyboardEvent) =>
  (target instanceof Element && target.matches(TEXT_FIELDS)) || document.querySelector(OVERLAYS) !== null

/**
 * Keys of one letter for those who work in a page all day, and the list of them under "?". No key decides anything: it moves, chooses, or opens
 * a form that asks. They can be switched off, for those who speak to their computer (WCAG 2.1.4). Each page has one such list.
 */
export function Shortcuts({ keys }: { keys: readonly Shortcut[] }) {
  const { t } = useTranslation('console/shared')
  const [on, setOn] = useState(() => storage.get(KEPT) !== 'off')
  const [open, setOpen] = useState(false)
  const bound =
    (run: () => void, always = false) =>
    (event: KeyboardEvent) => {
      if (!(on || always) || isElsewhere(event)) return
      event.preventDefault()
      run()
    }
  const options = { preventDefault: false }
  useHotkeys(
    [
      ...keys.flatMap(({ name, run }) =>
        run === undefined ? [] : [[name, bound(run), options] as [string, () => void, typeof options]],
      ),
      ['shift+?', bound(() => setOpen(true), true), options],
    ],
    [],
  )
  const switchTo = (wanted: boolean) => {
    storage.set(KEPT, wanted ? 'on' : 'off')
    setOn(wanted)
  }
  return (
    <>
      <button type="button" className="keys-button link-button small" onClick={() => setOpen(true)}>
        <kbd>?</kbd> <span>{t('keys.button')}</span>
      </button>
      {open ? (
        <Dialog title={t('keys.title')} width={420} onClose={() => setOpen(false)}>
          <dl className="keys-list">
            {[...keys, { name: '?', does: t('keys.list') }].map(({ name, does }) => (
              <div key={name}>
                <dt>
                  <kbd>{name}</kbd>
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
          <label className="check">
            <input type="checkbox" checked={on} onChange={(event) => switchTo(event.target.checked)} />
            <span>{t('keys.on')}</span>
          </label>
          <p className="muted small">{t('keys.text')}</p>
        </Dialog>
      ) : null}
    </>
  )
}
