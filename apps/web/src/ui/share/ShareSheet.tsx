import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../CopyButton.tsx'
import { Dialog } from '../Dialog.tsx'
import { IconBrandTelegram, IconBrandWhatsapp, IconDots, IconMail } from '../icons.ts'
import { Name } from '../Name.tsx'
import { QrCode } from '../QrCode.tsx'
import { shareLinks } from './shareLinks.ts'
import './share.css'

/** A registration link for others: to be scanned, written about, or copied. */
export function ShareSheet({ url, onClose }: { url: string; onClose: () => void }) {
  const { t } = useTranslation('ui')
  const text = t('shareText')
  const links = shareLinks(url, text)
  const size = { size: 24, stroke: 1.5 }
  // Who closes the system's sheet without choosing has not failed at anything.
  const share = () => navigator.share({ title: 'Aval', text, url }).catch(() => undefined)
  return (
    <Dialog title={t('share')} width={400} onClose={onClose}>
      <div className="share stack-16">
        <QrCode value={url} size={208} label={t('qrAlt', { text: url })} />
        <p className="muted small">{t('qrHint')}</p>
        <ul className="share-ways">
          <Way href={links.WhatsApp} icon={<IconBrandWhatsapp {...size} />} name="WhatsApp" />
          <Way href={links.Telegram} icon={<IconBrandTelegram {...size} />} name="Telegram" />
          <Way href={links.mail} icon={<IconMail {...size} />} name={t('shareBy.mail')} />
          {typeof navigator.share === 'function' ? (
            <li>
              <button type="button" className="share-way" onClick={() => void share()}>
                <IconDots {...size} />
                <span className="small">{t('shareBy.system')}</span>
              </button>
            </li>
          ) : null}
        </ul>
        <div className="share-link">
          <span className="small">
            <Name text={url} />
          </span>
          <CopyButton size="small" text={url} label={t('copyLink')} confirmation={t('linkCopied')} />
        </div>
      </div>
    </Dialog>
  )
}

function Way({ href, icon, name }: { href: string; icon: ReactNode; name: string }) {
  const { t } = useTranslation('ui')
  const isOut = href.startsWith('https:')
  return (
    <li>
      <a className="share-way" href={href} rel="noreferrer" {...(isOut ? { target: '_blank' } : {})}>
        {icon}
        <span className="small">{name}</span>
        {isOut ? <span className="visually-hidden">{t('opensNewTab')}</span> : null}
      </a>
    </li>
  )
}
