#include "reader/reader.h"

#include "reader/aider.h"
#include "reader/amp.h"
#include "reader/claude.h"
#include "reader/cline.h"
#include "reader/codex.h"
#include "reader/continue.h"
#include "reader/copilot.h"
#include "reader/crush.h"
#include "reader/cursor.h"
#include "reader/gemini.h"
#include "reader/goose.h"
#include "reader/kiro.h"
#include "reader/opencode.h"
#include "reader/pi.h"
#include "reader/plain.h"
#include "reader/qwen.h"

static const struct reader readers[] = {
	[TRANSCRIPT_CLAUDE] = {"claude", claude_read, .continues = true},
	[TRANSCRIPT_CODEX] = {"codex", codex_read, .continues = true},
	[TRANSCRIPT_GEMINI] = {"gemini", .read = gemini_read},
	[TRANSCRIPT_OPENCODE] = {"opencode", opencode_read,
				 .each = opencode_each,
				 .probe = "SELECT data FROM part"},
	[TRANSCRIPT_COPILOT] = {"copilot", copilot_read, .by_directory = true,
				.continues = true},
	[TRANSCRIPT_QWEN] = {"qwen", qwen_read, .continues = true},
	[TRANSCRIPT_CONTINUE] = {"continue", .read = continue_read},
	[TRANSCRIPT_AIDER] = {"aider", aider_read, .count = aider_count,
			      .by_directory = true},
	[TRANSCRIPT_PI] = {"pi", .read = pi_read},
	[TRANSCRIPT_CLINE] = {"cline", cline_read, .by_directory = true},
	[TRANSCRIPT_ROO] = {"roo", cline_read, .by_directory = true},
	[TRANSCRIPT_GOOSE] = {"goose", goose_read, .each = goose_each,
			      .probe = "SELECT content_json FROM messages"},
	[TRANSCRIPT_CRUSH] =
		{"crush", crush_read, .each = crush_each,
		 .probe = "SELECT parts, is_summary_message FROM messages"},
	[TRANSCRIPT_CURSOR] = {"cursor", cursor_read, .each = cursor_each,
			       .probe = "SELECT value FROM cursorDiskKV"},
	[TRANSCRIPT_KIRO] = {"kiro", kiro_read, .each = kiro_each,
			     .probe = "SELECT value FROM conversations_v2"},
	[TRANSCRIPT_AMP] = {"amp", .read = amp_read},
	[TRANSCRIPT_TEXT] = {"text", .read = plain_read},
};

const struct reader *reader_of(enum transcript_format f)
{
	return &readers[f];
}
