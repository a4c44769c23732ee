import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { prefetchDialog } from '../../../ui/Dialog.tsx'
import { IconSearch } from '../../../ui/icons.ts'
import { SearchDialog } from './SearchDialog.tsx'
import '../search.css'

const isMac = () => /mac|iphone|ipad/i.test(navigator.userAgent)

/** Finds anything from anywhere in the console: with a press, or with Ctrl or ⌘ and K. */
export function SearchButton() {
  const { t } = useTranslation('console/search')
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    void prefetchDialog()
    const onKey = (event: KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== 'k' ||
        !(event.metaKey || event.ctrlKey) ||
        event.altKey ||
        event.shiftKey
      )
        return
      // The browser would put the cursor into its own address bar.
      event.preventDefault()
      setOpen(true)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <button
        type="button"
        className="button button-secondary search-button"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
      >
        <IconSearch size={17} stroke={1.7} aria-hidden="true" />
        <span aria-hidden="true">{t('button')}</span>
        <span className="visually-hidden">{t('title')}</span>
        <span className="search-keys" aria-hidden="true">
          {isMac() ? '⌘K' : 'Ctrl K'}
        </span>
      </button>
      {isOpen ? <SearchDialog onClose={() => setOpen(false)} /> : null}
    </>
  )
}
