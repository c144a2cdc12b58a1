co-setup: '/tmp/hook/h4/.codex/config.toml':1:3: expected a key
