/* web.c: serve one request after the other. A client may be killed
 * meanwhile. */
#include "web.h"

#include "base/base.h"

#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#define PAGE                                                         \
	"<!doctype html><title>A page</title><h2>Order</h2><p>What " \
	"one program prints, the next one reads, as it comes.</p>"

static void answer(int fd)
{
	char asked[4096] = "", said[1024];
	size_t len = 0;
	const char *status = "200 OK", *page = PAGE;
	ssize_t n;
	int said_len;

	while (len < sizeof(asked) - 1 && !strstr(asked, "\r\n\r\n")) {
		n = read(fd, asked + len, sizeof(asked) - 1 - len);
		if (n <= 0)
			return;
		len += (size_t)n;
		asked[len] = '\0';
	}
	if (strstr(asked, "/gone "))
		status = "404 Not Found";
	else if (strstr(asked, "/same ") && strstr(asked, "If-None-Match"))
		status = "304 Not Modified";
	if (*status != '2')
		page = "";
	said_len = snprintf(said, sizeof(said),
			    "HTTP/1.1 %s\r\nConnection: close\r\n"
			    "Content-Type: text/html\r\nETag: \"2\"\r\n"
			    "Content-Length: %zu\r\n\r\n%s",
			    status, strlen(page), page);
	if (write(fd, said, (size_t)said_len) < said_len)
		return; /* the client is gone */
}

static void NORETURN serve(int listening)
{
	for (;;) {
		const int fd = accept(listening, NULL, NULL);

		if (fd < 0)
			continue;
		answer(fd);
		close(fd);
	}
}

pid_t web_start(void)
{
	struct sockaddr_in at = {.sin_family = AF_INET,
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(at);
	const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	char url[64];
	pid_t pid;

	if (fd < 0 || bind(fd, (struct sockaddr *)&at, len) < 0 ||
	    listen(fd, 64) < 0 ||
	    getsockname(fd, (struct sockaddr *)&at, &len) < 0) {
		perror("web");
		exit(4);
	}
	snprintf(url, sizeof(url), "http://127.0.0.1:%d", ntohs(at.sin_port));
	setenv("WEB", url, 1);
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		signal(SIGPIPE, SIG_IGN);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		serve(fd);
	}
	close(fd);
	return pid;
}
